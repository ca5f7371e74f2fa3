import Foundation
import SluiceUI
import Testing

/// Frames as text files beside the tests; `SLUICE_RECORD=1` writes them anew, for a person to review the difference.
enum Golden {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden")

    static func expect(_ frame: Frame, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: "\(name).txt")
        let text = frame.canvas.text + "\n"
        if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let kept = try? String(contentsOf: file, encoding: .utf8)
        guard kept != text else { return }
        let hint = "SLUICE_RECORD=1 swift test --filter GoldenTests writes it anew; look at the difference"
        let old = (kept ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }
        let difference =
            row.map { "row \($0.offset):\n\($0.element.0)\n\($0.element.1)" } ?? "it is new, or of another height"
        Issue.record("\(name) looks different: \(difference)\n\(hint)", sourceLocation: location)
    }

    /// Every row exactly as wide as the screen, and no half of a wide character.
    static func expectWhole(
        _ frame: Frame,
        _ width: Int,
        _ height: Int,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let canvas = frame.canvas
        guard canvas.width == width, canvas.height == height else {
            Issue.record("\(canvas.width)×\(canvas.height) for \(width)×\(height)", sourceLocation: location)
            return
        }
        for y in 0..<height {
            let cells = Array(canvas.cells(inRow: y))
            for (x, cell) in cells.enumerated() {
                let isHalf = x + 1 < width && cells[x + 1].character == nil
                let columns = cell.character.map { TextWidth.columns(of: String($0)) }
                let isRight: Bool =
                    switch columns {
                    case 2: isHalf
                    case 1: !isHalf
                    case nil: x > 0 && cells[x - 1].character.map { TextWidth.columns(of: String($0)) } == 2
                    default: false
                    }
                guard isRight else {
                    Issue.record("half a character at \(x), \(y): \(canvas.row(y))", sourceLocation: location)
                    return
                }
            }
        }
    }
}
