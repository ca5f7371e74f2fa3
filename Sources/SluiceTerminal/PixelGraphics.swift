internal import SluiceCore
internal import SluiceUI

/// Finds out whether the terminal draws pictures, and speaks the protocol for it.
///
/// Asks only a terminal that is likely to know, after the first frame, and waits for
/// nothing: without an answer in time there are no pictures, and what comes later is
/// swallowed. Never over ssh or in a terminal multiplexer, which draw elsewhere.
///
/// - SeeAlso: kitty, "The terminal graphics protocol".
struct PixelGraphics {
    /// Long, since nothing waits: a terminal on a busy machine may take its time.
    static let patience: Duration = .seconds(3)

    private enum Stage: Equatable {
        case none
        case untried
        case asking(until: Timestamp)
        case ready(PixelPicture.CellSize)
    }

    /// What the terminal answered so far.
    private struct Answers: Equatable {
        var draws = false
        var isKnown = false
        var cell: PixelPicture.CellSize?
    }

    private var stage: Stage
    private var answers = Answers()

    /// - Parameters:
    ///   - terminal: The value of `TERM`.
    ///   - variable: Reads an environment variable.
    init(terminal: String, variable: (String) -> String?) {
        func isSet(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
        let isElsewhere =
            ["SSH_CONNECTION", "SSH_TTY", "TMUX", "STY"].contains(where: isSet) || terminal.hasPrefix("tmux")
            || terminal.hasPrefix("screen")
        let isLikely =
            ["xterm-kitty", "xterm-ghostty"].contains(terminal) || isSet("KITTY_WINDOW_ID")
            || variable("TERM_PROGRAM") == "ghostty"
        stage = isLikely && !isElsewhere ? .untried : .none
    }

    /// What to write after the first frame; nothing afterwards.
    ///
    /// All terminals answer the last question, so its answer ends the wait.
    mutating func questions(now: Timestamp) -> [UInt8] {
        guard stage == .untried else { return [] }
        stage = .asking(until: now + Self.patience)
        return Array("\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[16t\u{1B}[c".utf8)
    }

    /// When the wait is over, or `nil`.
    var deadline: Timestamp? {
        if case .asking(let until) = stage { until } else { nil }
    }

    mutating func timePassed(now: Timestamp) {
        if case .asking(let until) = stage, until <= now { stage = .none }
    }

    /// - Returns: The size of a cell, once it is clear that pictures can be drawn.
    mutating func take(_ report: TerminalReport) -> PixelPicture.CellSize? {
        guard case .asking = stage else { return nil }
        switch report {
        case .graphics(let isGood): answers.draws = isGood
        case .version(let name): answers.isKnown = Self.hasPlaceholders(name)
        case .cell(let width, let height):
            if (1...512).contains(width), (1...512).contains(height) {
                answers.cell = PixelPicture.CellSize(width: width, height: height)
            }
        case .attributes:
            guard answers.draws, answers.isKnown, let cell = answers.cell else {
                stage = .none
                return nil
            }
            stage = .ready(cell)
            return cell
        }
        return nil
    }

    var isReady: Bool {
        if case .ready = stage { true } else { false }
    }

    /// Whether the cells that stand for parts of a picture are understood, which others that draw do not.
    private static func hasPlaceholders(_ name: String) -> Bool {
        if name.hasPrefix("ghostty") { return true }
        guard name.hasPrefix("kitty(") else { return false }
        let numbers = name.dropFirst("kitty(".count).split(separator: ".").prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (0, 28)
    }

    /// Sends a picture, to be seen wherever cells stand for it.
    static func show(_ picture: PixelPicture) -> [UInt8] {
        let (bitmap, format) = pixels(picture.bitmap)
        let text = Base64.letters(of: bitmap)
        var output: [UInt8] = []
        output.reserveCapacity(text.count + text.count / 100 + 200)
        var start = 0
        repeat {
            let end = min(text.count, start + 4_096)
            output += Array("\u{1B}_G".utf8)
            if start == 0 {
                output += Array(
                    ("q=2,a=T,U=1,i=\(picture.number),f=\(format),s=\(picture.bitmap.width),v=\(picture.bitmap.height),"
                        + "c=\(picture.columns),r=\(picture.rows),").utf8
                )
            }
            output += Array("m=\(end < text.count ? 1 : 0);".utf8) + text[start..<end] + Array("\u{1B}\\".utf8)
            start = end
        } while start < text.count
        return output
    }

    /// Removes a picture, and the terminal's copy of it.
    static func remove(_ number: UInt8) -> [UInt8] { Array("\u{1B}_Gq=2,a=d,d=I,i=\(number)\u{1B}\\".utf8) }

    static var removeAll: [UInt8] { PixelPicture.numbers.flatMap(remove) }

    /// Three bytes a pixel where nothing is transparent.
    private static func pixels(_ bitmap: Bitmap) -> (bytes: [UInt8], format: Int) {
        let isOpaque = stride(from: 3, to: bitmap.pixels.count, by: 4).allSatisfy { bitmap.pixels[$0] == 255 }
        guard isOpaque else { return (bitmap.pixels, 32) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(bitmap.pixels.count / 4 * 3)
        for start in stride(from: 0, to: bitmap.pixels.count, by: 4) { bytes += bitmap.pixels[start..<start + 3] }
        return (bytes, 24)
    }
}
