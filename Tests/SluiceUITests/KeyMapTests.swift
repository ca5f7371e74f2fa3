import Testing

@testable import SluiceUI

struct KeyMapTests {
    @Test func noKeyMeansTwoThings() {
        for (index, first) in KeyMap.bindings.enumerated() {
            for second in KeyMap.bindings[(index + 1)...] where first.scope.overlaps(second.scope) {
                let shared = Set(first.keys).intersection(second.keys)
                #expect(shared.isEmpty, "\(first.label) and \(second.label)")
            }
        }
    }

    @Test func everyKeyOfTheEditorIsInTheTable() {
        let keys: [Key] =
            [.left, .right, .home, .end, .controlLeft, .controlRight, .backspace, .delete]
            + "abefhdwuky".map { Key.control($0) } + "bfd".map { Key.alt($0) }
        for key in keys {
            #expect(LineEditor.edit(for: key) != nil)
            #expect(KeyMap.action(for: key, in: .prompt, focus: .active) == .edit, "\(key)")
        }
    }

    @Test func keysOfAPanelHoldOnlyThere() {
        #expect(KeyMap.action(for: .character("U"), in: .lists, focus: .queued) == .promote)
        #expect(KeyMap.action(for: .character("U"), in: .lists, focus: .cache) == nil)
        #expect(KeyMap.action(for: .character("x"), in: .prompt, focus: .active) == nil)
    }

    @Test func helpNamesEveryActionOfTheLists() {
        let explained = KeyMap.bindings.filter { $0.help != nil }
        for binding in KeyMap.bindings where binding.help == nil && binding.scope == .lists {
            let sharesALabel = explained.contains { $0.group == binding.group && $0.help != nil }
            #expect(sharesALabel, "\(binding.label)")
        }
        #expect(explained.allSatisfy { ($0.help ?? "").count <= 24 }, "a column of the help is narrow")
    }

    @Test func theManualHasATableOfKeys() {
        let lines = KeyMap.markdown.split(separator: "\n")
        #expect(lines.first == "| Keys | Where | What they do |")
        #expect(lines.allSatisfy { $0.hasPrefix("| ") && $0.hasSuffix(" |") })
        #expect(lines.contains("| `x` | tasks | abort the task |"))
    }

    @Test func ownKeysComeFirstInTheHints() {
        #expect(KeyMap.hints(in: .lists, focus: .queued).first?.action == .abort)
        #expect(KeyMap.hints(in: .lists, focus: .cache).first?.action == .clearCache)
        #expect(KeyMap.hints(in: .prompt, focus: .active).first?.action == .submit)
    }
}
