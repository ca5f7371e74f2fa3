import SluiceCore
import Testing

@testable import SluiceUI

/// Whatever a key does can be typed too: each action of the keys has a command that does the same.
struct CommandsOfKeysTests {
    /// How it is shown for one action.
    private enum Proof {
        /// From where some keys lead, the key and the command change the same and ask for the same.
        case same(String, String, from: String)
        /// No command can do it, for it is for where commands are typed, or can't be.
        case none

        static func typed(_ keys: String, _ command: String, from start: String = "") -> Proof {
            .same(keys, command, from: start)
        }
    }

    /// Without `default`, so that no action is forgotten: a new one has no test before it stands here.
    private static func proof(_ action: KeyAction) -> Proof {
        switch action {
        case .quit: .typed("q", "quit")
        case .help: .typed("?", "help")
        case .redraw: .typed("^L", "redraw")
        case .stop: .typed("^Z", "shell")
        case .typeURL: .typed("a https://a.example/x enter esc", "add https://a.example/x")
        case .typeList: .typed("A ~/urls.txt enter esc", "import ~/urls.txt")
        case .typeCommand: .none
        case .focus(let panel): .typed("\(panel.rawValue)", "focus \(panel.title)")
        case .nextPanel: .typed("tab", "focus next")
        case .previousPanel: .typed("shift+tab", "focus previous")
        case .restore: .typed("esc", "restore", from: "8 8")
        case .openDetail: .typed("enter", "detail")
        case .previousTask: .typed("[", "previous", from: "j enter")
        case .nextTask: .typed("]", "next", from: "enter")
        case .allHeaders: .typed("h", "headers", from: "enter")
        case .trust: .typed("T", "trust")
        case .nextPreset: .typed("\\", "preset")
        case .toggleMouse: .typed("m", "mouse")
        case .openPicture: .typed("i", "image")
        case .openTile: .typed("enter", "image", from: "I G")
        case .openGallery: .typed("I", "gallery")
        case .zoomPicture: .typed("z", "zoom", from: "i")
        case .previousPicture: .typed("[", "previous", from: "i ]")
        case .nextPicture: .typed("]", "next", from: "i")
        case .left: .typed("left", "go left", from: "I right")
        case .right: .typed("right", "go right", from: "I")
        case .down: .typed("j", "go down")
        case .up: .typed("k", "go up", from: "j")
        case .first: .typed("home", "go first", from: "j")
        case .prefixG: .typed("g g", "go first", from: "j")
        case .last: .typed("G", "go last")
        case .pageDown: .typed("pgdn", "go pagedown", from: "2")
        case .pageUp: .typed("pgup", "go pageup", from: "2 G")
        case .halfDown: .typed("^D", "go halfdown", from: "2")
        case .halfUp: .typed("^U", "go halfup", from: "2 G")
        case .select: .typed("space", "select")
        case .selectRange: .typed("v", "select range")
        case .selectAll: .typed("^A", "select all")
        case .filter: .typed("/ m enter", "filter m", from: "2")
        case .findNext: .typed("n", "next", from: "/ iss esc")
        case .findPrevious: .typed("N", "previous", from: "/ iss esc")
        case .sort: .typed("s n", "sort name")
        case .reverse: .typed("S", "reverse")
        case .openFile: .typed("o", "open", from: "8")
        case .copyPath: .typed("y", "copy path", from: "8")
        case .copyURL: .typed("Y", "copy url", from: "8")
        case .removeRow: .typed("d", "remove", from: "8")
        case .deleteFile: .typed("D", "delete", from: "8")
        case .abort: .typed("x", "abort")
        case .cancelReceipt: .typed("X", "cancel")
        case .pause: .typed("p", "pause")
        case .pauseAll: .typed("P", "pause all")
        case .cancelAll: .typed("^X", "cancel all")
        case .retry: .typed("r", "retry", from: "9")
        case .retryAll: .typed("R", "retry all")
        case .editURL: .typed("e ?x=1 enter", "url https://img.nasa.example/hi/dunes-4096.jpg?x=1")
        case .limitTask: .typed("L 200K enter", "limit 200K")
        case .promote: .typed("U", "top", from: "2 j")
        case .toEnd: .typed("B", "end", from: "2 j")
        case .earlier: .typed("K", "earlier", from: "2 j")
        case .later: .typed("J", "later", from: "2 j")
        case .limitRate: .typed("t 2M enter", "limitRate 2M")
        case .moreSlots: .typed("+", "slots 5")
        case .fewerSlots: .typed("-", "slots 3")
        case .order: .typed("f", "order lifo")
        case .suspend: .typed("Z", "suspend")
        case .dropImage: .typed("c", "purge image", from: "8")
        case .clearCache: .typed("C", "purge")
        case .pressure: .typed("M", "pressure")
        case .replay, .submit, .leavePrompt, .clearOrQuit, .older, .newer, .complete, .searchHistory, .edit, .pinKey,
            .editPins, .tryPinning, .tryInvalid, .tryDomain, .lookAgain, .yes, .no, .close:
            .none
        }
    }

    private static let actions = KeyMap.standardBindings.map(\.action).reduce(into: [KeyAction]()) { all, action in
        if !all.contains(action) { all.append(action) }
    }

    @Test func commandsDoWhatTheKeysDo() {
        let driver = Driver(Self.scene, 120, 36)
        var compared = 0
        for action in Self.actions {
            guard case .same(let keys, let command, let start) = Self.proof(action) else { continue }
            var pressed = driver
            _ = pressed.press(keys: Self.keys(start))
            // Of a picture that has not come no part can be seen.
            if action == .zoomPicture {
                for ask in 1...20 { _ = pressed.send(.picture(ask: ask, .picture(FakePicture.picture(ask)))) }
            }
            var typed = pressed
            let before = Self.text(pressed)
            let asked = pressed.press(keys: Self.keys(keys))
            let commanded = typed.press(":" + command) + typed.press(keys: [.enter])
            #expect(Self.own(commanded) == Self.own(asked), "\(action): :\(command)")
            let (after, same) = (Self.text(pressed), Self.text(typed))
            if after != same {
                let pair = zip(after.split(separator: "\n"), same.split(separator: "\n")).first { $0 != $1 }
                Issue.record("\(action): :\(command) leaves \(pair?.1 ?? ""), the key \(pair?.0 ?? "")")
            }
            #expect(after != before || !Self.own(asked).isEmpty, "\(action): nothing to compare: \(keys)")
            compared += 1
        }
        #expect(compared == 76, "actions of lists and panels")
    }

    @Test func onlyWhereCommandsAreTypedOrCantBeIsAKeyWithoutOne() {
        for binding in KeyMap.standardBindings {
            guard case .none = Self.proof(binding.action), binding.action != .typeCommand else { continue }
            switch binding.scope {
            case .lists, .panels: Issue.record("\(binding.action) has no command")
            case .prompt, .replay, .help, .event, .question, .paste, .trust: break
            }
        }
    }

    @Test(arguments: [
        ("zoom", "z is for the preview only"), ("headers", "h is for the detail only"),
        ("next", "n is for active, queued, events, finished and failed only"),
        ("select", "Space is for active, queued, events and finished only"),
        ("filter x", "/ is for active, queued, events, finished and failed only"),
        ("go left", "← is for the preview only"), ("reverse", "S is for active and finished only"),
    ])
    func elsewhereACommandSaysWhereItHolds(command: String, answer: String) {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("3:" + command)
        _ = driver.press(keys: [.enter])
        #expect(driver.text.contains(answer), "\(driver.text)")
        #expect(driver.dashboard.state.lists.isEmpty)
    }

    @Test func wordsChooseWhatTheKeyOnlyTurns() {
        var driver = Driver(Self.scene, 120, 36)
        func run(_ command: String) -> [String] {
            Self.own(driver.press(":" + command) + driver.press(keys: [.enter]))
        }
        #expect(run("mouse off") == ["mouse off"])
        #expect(run("mouse on") == ["mouse on"])
        _ = run("preset cache")
        #expect(driver.dashboard.state.preset == .caches)
        _ = run("preset all")
        #expect(driver.dashboard.state.preset == .all)
        #expect(run("sort outcome") == [])
        #expect(driver.text.contains("active can't be sorted by outcome, but by time name host size progress rate"))
    }

    // MARK: What is compared

    /// Of what was asked for, all but the line that the prompt remembers.
    private static func own(_ effects: [String]) -> [String] { effects.filter { !$0.hasPrefix("saveHistory") } }

    /// What nothing changes.
    private static let constants: Set<String> = ["configuration", "clock"]

    /// Everything that the screen knows, without what was typed, which differs, and the sentence that says so.
    ///
    /// The news of the pipeline without what is long, and the same.
    private static func text(_ driver: Driver) -> String {
        var state = driver.dashboard.state
        (state.prompt, state.filterEditor) = (PromptState(history: PromptHistory([])), LineEditor())
        state.message = nil
        let none = AppState.News()
        (state.news.log, state.news.records, state.news.ended) = (none.log, none.records, none.ended)
        (state.news.usage, state.news.throughput, state.news.ledger) = (none.usage, none.throughput, none.ledger)
        (state.news.hosts, state.news.bodies) = (none.hosts, none.bodies)
        var lines: [String] = []
        for part in Mirror(reflecting: state).children where !constants.contains(part.label ?? "") {
            describe(part.value, part.label ?? "", &lines)
        }
        return lines.joined(separator: "\n")
    }

    /// One line for each value; those of dictionaries and sets in an order of their own.
    private static func describe(_ value: Any, _ name: String, _ lines: inout [String]) {
        let mirror = Mirror(reflecting: value)
        guard !mirror.children.isEmpty else {
            lines.append("\(name): \(value)")
            return
        }
        var parts: [[String]] = []
        for (index, child) in mirror.children.enumerated() {
            var part: [String] = []
            describe(child.value, "\(name).\(child.label ?? "")", &part)
            if child.label == nil, mirror.displayStyle == .collection { part = part.map { "\(index) \($0)" } }
            parts.append(part)
        }
        if mirror.displayStyle == .dictionary || mirror.displayStyle == .set {
            parts.sort { $0.joined() < $1.joined() }
        }
        lines += parts.joined()
    }

    /// Names of keys with blanks between; what is none is typed.
    private static func keys(_ text: String) -> [Key] {
        text.split(separator: " ").flatMap { word in Key(name: String(word)).map { [$0] } ?? word.map { .character($0) }
        }
    }

    /// The full scene, with images that were finished.
    private static let scene: Scene = {
        var scene = Scene.full
        scene.addFinishedImages()
        return scene
    }()
}
