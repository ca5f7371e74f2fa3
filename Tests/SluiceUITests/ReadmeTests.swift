import Foundation
import SluiceUI
import Testing

/// The front page tells what the program does.
struct ReadmeTests {
    @Test(arguments: [("keys", KeyMap.standard.markdown), ("commands", KeyMap.commandMarkdown)])
    func theTablesAreThoseOfTheProgram(name: String, table: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "README.md")
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
}
