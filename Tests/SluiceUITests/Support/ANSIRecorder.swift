import Foundation
import SluiceUI
import Testing

/// Writes frames as files that a terminal shows, for people to look at.
///
/// Does nothing unless `SLUICE_RECORD_ANSI` names a directory.
enum ANSIRecorder {
    static func record(_ frame: Frame, as name: String) throws {
        guard let directory = ProcessInfo.processInfo.environment["SLUICE_RECORD_ANSI"] else { return }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        var text = "\u{1B}[?25l\u{1B}[2J"
        for y in 0..<frame.canvas.height {
            text += "\u{1B}[\(y + 1);1H"
            var style: Style?
            for cell in frame.canvas.cells(inRow: y) {
                guard let character = cell.character else { continue }
                if cell.style != style { text += sequence(cell.style) }
                style = cell.style
                text.append(character)
            }
        }
        text += "\u{1B}[0m"
        if let cursor = frame.cursor { text += "\u{1B}[\(cursor.y + 1);\(cursor.x + 1)H\u{1B}[?25h" }
        try text.write(toFile: "\(directory)/\(name).ans", atomically: true, encoding: .utf8)
    }

    private static func sequence(_ style: Style) -> String {
        var codes = ["0"]
        for (attribute, code) in [(Style.Attributes.bold, "1"), (.dim, "2"), (.reverse, "7"), (.underline, "4")]
        where style.attributes.contains(attribute) {
            codes.append(code)
        }
        if style.foreground >= 0 { codes.append("38;5;\(style.foreground)") }
        if style.background >= 0 { codes.append("48;5;\(style.background)") }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }
}
