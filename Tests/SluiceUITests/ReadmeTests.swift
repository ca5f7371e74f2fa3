import Foundation
import SluiceUI
import Testing

/// The front page tells what the program does.
struct ReadmeTests {
    @Test func theKeysAreThoseOfTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "README.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
            let start = try #require(text.range(of: "<!-- keys -->\n"))
            let end = try #require(text.range(of: "<!-- end of keys -->"))
            let updated = text[..<start.upperBound] + KeyMap.markdown + text[end.lowerBound...]
            try String(updated).write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(text.contains("<!-- keys -->\n" + KeyMap.markdown + "<!-- end of keys -->"))
    }
}
