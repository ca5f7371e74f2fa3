import Foundation
import SluiceCore
import SluiceUI
import Testing

/// The front page tells what the program does.
struct ReadmeTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "README.md")

    @Test(arguments: [("keys", KeyMap.standard.markdown), ("commands", KeyMap.commandMarkdown)])
    func theTablesAreThoseOfTheProgram(name: String, table: String) throws {
        let file = Self.file
        let text = try String(contentsOf: file, encoding: .utf8)
        if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
            let start = try #require(text.range(of: "<!-- \(name) -->\n"))
            let end = try #require(text.range(of: "<!-- end of \(name) -->"))
            let updated = text[..<start.upperBound] + table + text[end.lowerBound...]
            try String(updated).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(text.contains("<!-- \(name) -->\n" + table + "<!-- end of \(name) -->"))
    }

    @Test func theMethodsThatItCallsAreThere() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let calls = text.matches(of: /sluice ctl (?:--socket \S+ )?([A-Za-z.]+)/).map { String($0.1) }
        #expect(calls.count >= 8)
        for call in calls { #expect(ControlMethod(rawValue: call) != nil, "there is no method \(call)") }
    }
}
