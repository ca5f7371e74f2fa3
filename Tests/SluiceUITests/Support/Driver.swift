import SluiceCore

@testable import SluiceUI

/// Plays events to a dashboard and names what it asks for.
struct Driver {
    var dashboard: Dashboard
    private(set) var now = Scene.now
    /// The last question which URLs would merge, which the prompt asks with every key.
    private(set) var lastProbe: URLProbe?
    /// The list files that were looked into while their names were typed.
    private(set) var looks: [String] = []
    /// The last wish to look at more than rows.
    private(set) var inspected = ""
    private let width: Int
    private let height: Int

    init(_ scene: Scene, _ width: Int, _ height: Int, prompt: Bool = false) {
        self.init(scene.dashboard(width, height, prompt: prompt), width, height)
    }

    init(_ dashboard: Dashboard, _ width: Int, _ height: Int) {
        (self.dashboard, self.width, self.height) = (dashboard, width, height)
    }

    /// The screen as it would be drawn now.
    var frame: Frame {
        mutating get { dashboard.frame(width: width, height: height, now: now) }
    }

    /// The same as lines of text.
    var text: String {
        mutating get { frame.canvas.text }
    }

    /// The last line of it, which says what keys do now.
    var hints: String {
        mutating get { text.split(separator: "\n").last.map(String.init) ?? "" }
    }

    /// What it asks for, except what it wants to look at; see ``inspected`` and ``looks``.
    mutating func send(_ event: AppEvent) -> [String] {
        let all = dashboard.handle(event, now: now)
        for case .pipeline(.probe(let probe)) in all { lastProbe = probe }
        let effects = all.map(Self.name).filter { $0 != "probe" }
        inspected = effects.last { $0.hasPrefix("inspect ") } ?? inspected
        looks += effects.filter { $0.hasPrefix("look @") }
        return effects.filter { effect in
            !["inspect ", "observe ", "look @"].contains { effect.hasPrefix($0) }
        }
    }

    mutating func press(keys: [Key]) -> [String] { keys.flatMap { send(.key($0)) } }

    mutating func press(_ text: String) -> [String] { press(keys: text.map { .character($0) }) }

    /// Types a line at the prompt and says what it does, apart from being kept.
    mutating func enter(_ line: String) -> [String] {
        (press(line) + press(keys: [.enter])).filter { !$0.hasPrefix("saveHistory") }
    }

    /// Runs a command of the prompt from a list.
    mutating func run(_ command: String) -> [String] { enter(":" + command) }

    mutating func pass(_ time: Duration) {
        now = now + time
        _ = send(.wake)
    }

    static func name(_ effect: AppEffect) -> String {
        switch effect {
        case .pipeline(let command): name(command)
        case .readList(let path): "readList \(path)"
        case .lookAtList(let path): "look @\(path)"
        case .readFolder(let path): "readFolder \(path)"
        case .copy(let text): "copy \(text)"
        case .open(let path): "open \(path)"
        case .repaint: "repaint"
        case .stop: "stop"
        case .saveHistory(let lines): "saveHistory \(lines.count)"
        case .mouse(let isOn): "mouse \(isOn ? "on" : "off")"
        case .askForGround: "askForGround"
        case .quit: "quit"
        case .submitPicture(let request): "submitPicture \(request.ask) \(request.url)"
        case .readPicture(let request): "readPicture \(request.ask) \(request.url)"
        case .dropPicture(let ask): "dropPicture \(ask)"
        case .lookAtTrust(let ask, let url): "look \(ask) \(url.url)"
        case .draftPin(let host, _, let pins): "draftPin \(host) \(pins.joined(separator: " "))"
        case .pin(let draft): "pin \(draft.host) \(draft.pins.joined(separator: " "))"
        }
    }

    private static func name(_ command: PipelineCommand) -> String {
        switch command {
        case .submit(let requests): "submit \(requests.count) \(requests.first.map { source($0.source) } ?? "")"
        case .cancel(let receipt): "cancel \(receipt.rawValue)"
        case .cancelNewest(let task): "cancel newest of \(task.rawValue)"
        case .cancelAll: "cancelAll"
        case .pauseAll: "pauseAll"
        case .resumeAll: "resumeAll"
        case .steer(.move(let places), .task(let task)): "move \(task.rawValue) by \(places)"
        case .steer(let steering, .task(let task)): "\(steering) \(task.rawValue)"
        case .set(let change): "set \(change.name) \(EventSentence.text(change.value))"
        case .retryFailed: "retryFailed"
        case .forgetFailure(let url): "forget \(url)"
        case .forgetFailures: "forgetFailures"
        case .replaceURL(let task, let url): "replaceURL \(task.rawValue) \(url)"
        case .clearCache: "clearCache"
        case .pressure: "pressure"
        case .probe: "probe"
        case .prefetch(let requests): "prefetch \(requests.count)"
        case .watch(let window): "watch \(window.from)+\(window.count)\(filter(window.filter, window.isNarrowed))"
        case .observe(let tasks): "observe \(tasks.map { String($0.rawValue) }.joined(separator: " "))"
        case .find(let search): "find \(search.serial) \(search.isBackward ? "back " : "")from \(search.from)"
        case .removeImages(let removal): "drop \(removal.serial) \(removal.urls.joined(separator: " "))"
        case .deleteFile(let path): "delete \(path)"
        case .steer(let steering, let selection): "steer \(steering) \(selected(selection))"
        case .inspect(let inspection):
            "inspect \(inspection.task.map { String($0.rawValue) } ?? "-")+\(inspection.largest)"
        case .cancelPrefetch(let batch): "cancelPrefetch \(batch.rawValue)"
        case .warn(let code, let message): "warn \(code.rawValue) \(message)"
        case .shutDown: "shutDown"
        }
    }

    private static func source(_ source: DownloadRequest.Source) -> String {
        switch source {
        case .prompt, .promptLine: "prompt"
        case .paste: "paste"
        case .list(let name, let line): "list \(name):\(line)"
        case .argument: "argument"
        case .standardInput(let line): "standard input:\(line)"
        case .prefetch(let batch): "batch \(batch.rawValue)"
        case .feed: "feed"
        case .revalidation: "revalidation"
        case .program: "program"
        case .view(let number): "view \(number)"
        }
    }

    private static func filter(_ filter: ListFilter, _ isNarrowed: Bool) -> String {
        filter.isEmpty ? "" : (isNarrowed ? " /" : " ?") + filter.text
    }

    private static func selected(_ selection: TaskSelection) -> String {
        switch selection {
        case .task(let task): "\(task.rawValue)"
        case .tasks(let tasks): "\(tasks.map(\.rawValue))"
        case .queued(let filter, let ends):
            "all" + (ends.map { " between \($0.first.rawValue) and \($0.last.rawValue)" } ?? "")
                + Self.filter(filter, true)
        }
    }
}
