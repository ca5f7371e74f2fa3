import Foundation
import SluiceCore
import SluiceOrigin
import Testing

/// Rows of a terminal as text files beside the tests; `SLUICE_RECORD=1` writes them anew.
///
/// Times, durations and the port differ from run to run: they stand there as words.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func expect(
        _ rows: some Sequence<String>,
        _ name: String,
        replacing port: UInt16,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let text = rows.map { row in
            let row = row.replacing(":\(port)", with: ":port").replacing(/[0-9]{2}:[0-9]{2}(:[0-9]{2})?/, with: "time")
                .replacing(/[0-9]+(\.[0-9]+)? m?s\b/, with: "span").replacing(/\x20{2,}/, with: "  ")
            return row.replacing(/[─╌]+/, with: "─") + "\n"
        }.joined()
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "\(name) looks different", sourceLocation: location)
    }
}
