import SluiceCore
import Testing

@testable import SluiceUI

/// One word for one thing, wherever the screen says it.
struct VocabularyTests {
    /// What is measured is a rate; what it may be is its limit.
    @Test func whatARateMayBeIsCalledALimit() {
        var words: [String] = []
        for binding in KeyMap.standardBindings {
            words += [binding.name, binding.hint, binding.help].compactMap(\.self)
        }
        for command in CommandTable.all { words += [command.name, command.help ?? ""] }
        #expect(!words.contains { $0.lowercased().contains("throttle") }, "\(words)")
        #expect(words.filter { $0.contains("limit") }.count >= 8)
        #expect(!CommandTable.all.contains { $0.name == "rate" })
        #expect(KeyMap.standard.help(.queue).contains { $0 == ("t", "limit the rate of all") })
    }

    @Test func aConfigurationThatCallsItAsBeforeStaysGood() throws {
        let keys = try KeyMap([KeyChange(action: "throttle", keys: ["f5"], line: 1)])
        #expect(keys.action(for: .function(5), in: .lists, focus: .active) == .limitRate)
        #expect(keys.action(for: .character("t"), in: .lists, focus: .active) == nil)
    }
}
