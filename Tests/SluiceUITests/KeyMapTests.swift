import Testing

@testable import SluiceUI

struct KeyMapTests {
    private let map = KeyMap.standard

    @Test func noKeyMeansTwoThings() {
        for (index, first) in map.bindings.enumerated() {
            for second in map.bindings[(index + 1)...] where first.scope.overlaps(second.scope) {
                let shared = Set(first.keys).intersection(second.keys)
                #expect(shared.isEmpty, "\(first.action) and \(second.action)")
            }
        }
    }

    @Test func actionsHaveNamesOfTheirOwn() {
        let names = KeyMap.actionNames
        #expect(Set(names).count == names.count)
        for binding in map.bindings where [.lists, .prompt].contains(binding.scope) {
            #expect(binding.name != nil, "\(binding.action)")
            #expect((binding.scope == .prompt) == (binding.name ?? "").hasPrefix("prompt."), "\(binding.action)")
        }
    }

    @Test func keysOfAPanelHoldOnlyThere() {
        #expect(map.action(for: .character("U"), in: .lists, focus: .queued) == .promote)
        #expect(map.action(for: .character("U"), in: .lists, focus: .cache) == nil)
        #expect(map.action(for: .character("x"), in: .prompt, focus: .active) == .edit(.insert("x")))
    }

    @Test func everyRowOfTheHelpIsShort() {
        for group in KeyMap.Group.allCases {
            for row in map.help(group) { #expect(row.text.count <= 24, "\(row.text): a column of the help is narrow") }
        }
    }

    @Test func theManualHasATableOfKeys() {
        let lines = map.markdown.split(separator: "\n")
        #expect(lines.first == "| Keys | Where | What they do | Name in `[keys]` |")
        #expect(lines.allSatisfy { $0.hasPrefix("| ") && $0.hasSuffix(" |") })
        #expect(lines.contains("| `x` | tasks | abort the task | `abort` |"))
        #expect(lines.contains("| `K` `J` | queue | up, down one place | `earlier` `later` |"))
    }

    @Test func ownKeysComeFirstInTheHints() {
        #expect(map.hints(in: .lists, focus: .queued).first?.action == .abort)
        #expect(map.hints(in: .lists, focus: .cache).first?.action == .clearCache)
        #expect(map.hints(in: .prompt, focus: .active).first?.action == .submit)
    }

    @Test(arguments: [
        ("x", Key.character("x"), "x"), ("X", .character("X"), "X"), ("^X", .control("x"), "^X"),
        ("ctrl+X", .control("x"), "^X"), ("Alt+d", .alt("d"), "Alt-d"), ("alt+D", .alt("D"), "Alt-D"),
        ("F12", .function(12), "F12"), ("space", .character(" "), "Space"), ("+", .character("+"), "+"),
        ("plus", .character("+"), "+"), ("Shift+Tab", .backTab, "⇧Tab"), ("ctrl+left", .controlLeft, "^←"),
        ("é", .character("é"), "é"), ("^_", .control("_"), "^_"), ("enter", .enter, "⏎"),
    ])
    func keysHaveNames(name: String, key: Key, label: String) {
        #expect(Key(name: name) == key)
        #expect(key.label == label)
    }

    @Test(arguments: [
        "", "xx", "f0", "f13", "ctrl+", "ctrl+ab", "ctrl+i", "^M", "^[", "shift+x", "hyper+x", " ", "\t", "^é",
    ])
    func otherNamesAreNoKeys(name: String) { #expect(Key(name: name) == nil) }
}

struct RebindingTests {
    private func message(_ changes: [KeyChange]) -> String {
        do throws(KeyMapError) {
            _ = try KeyMap(changes)
            return "no error"
        } catch {
            return "\(error.line): \(error.message)"
        }
    }

    @Test func anActionGetsOtherKeys() throws {
        let map = try KeyMap([
            KeyChange(action: "abort", keys: ["f5", "^K"], line: 2), KeyChange(action: "pause", keys: ["x"], line: 3),
            KeyChange(action: "prompt.yank", keys: [], line: 4),
        ])
        #expect(map.action(for: .function(5), in: .lists, focus: .active) == .abort)
        #expect(map.action(for: .control("k"), in: .lists, focus: .active) == .abort)
        #expect(map.action(for: .character("x"), in: .lists, focus: .active) == .pause)
        #expect(map.action(for: .character("p"), in: .lists, focus: .active) == nil)
        #expect(map.action(for: .control("y"), in: .prompt, focus: .active) == nil)
        #expect(map.help(.tasks).first?.label == "F5 ^K")
        #expect(map.hints(in: .lists, focus: .active).first?.label == "F5")
        #expect(map.markdown.contains("| `F5` `^K` | tasks | abort the task |"))
    }

    @Test func oneKeyMayMeanSomethingInThePromptToo() throws {
        let map = try KeyMap([KeyChange(action: "abort", keys: ["^W"], line: 1)])
        #expect(map.action(for: .control("w"), in: .prompt, focus: .active) == .edit(.cutWordBackward))
    }

    @Test func aSecondKeyGivesWay() throws {
        let map = try KeyMap([KeyChange(action: "filter", keys: ["ctrl+f"], line: 1)])
        #expect(map.action(for: .control("f"), in: .lists, focus: .active) == .filter)
        #expect(map.action(for: .pageDown, in: .lists, focus: .active) == .pageDown)
    }

    @Test func conflictsNameBothActionsAndTheLine() {
        #expect(
            message([KeyChange(action: "abort", keys: ["p"], line: 7)])
                == "7: p is the key of pause and of abort: give one of them another"
        )
        #expect(
            message([
                KeyChange(action: "promote", keys: ["f5"], line: 7), KeyChange(action: "order", keys: ["F5"], line: 9),
            ]) == "9: F5 is the key of order (line 9) and of promote: give one of them another"
        )
    }

    @Test func unknownActionsAndKeysAreErrors() {
        #expect(
            message([KeyChange(action: "abrot", keys: ["x"], line: 3)]).hasPrefix("3: keys.abrot: there is no such")
        )
        #expect(message([KeyChange(action: "abrot", keys: ["x"], line: 3)]).contains("did you mean abort?"))
        #expect(
            message([KeyChange(action: "abort", keys: ["hyper+x"], line: 3)]).contains("no key is called \"hyper+x\"")
        )
        #expect(message([KeyChange(action: "prompt.yank", keys: ["y"], line: 3)]).contains("is typed at the prompt"))
        #expect(message([KeyChange(action: "quit", keys: [], line: 3)]).contains("keys.quit needs a key"))
        #expect(
            message([
                KeyChange(action: "abort", keys: ["f5"], line: 3), KeyChange(action: "abort", keys: ["f6"], line: 4),
            ])
            .hasPrefix("4: keys.abort stands there twice")
        )
    }
}
