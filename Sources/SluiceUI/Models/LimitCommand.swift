internal import SluiceCore

/// The command that raises the limit which refused a body.
struct LimitCommand: Equatable {
    /// As it is typed; without a number where no message tells how much is enough.
    let text: String

    /// Values that a setting takes.
    private static let allowed = 1...1_000_000_000_000

    /// Fails where the message names no setting.
    ///
    /// - Parameter message: Of an error, which is all that events and recordings keep of its figures.
    init?(raising message: String) {
        // Of a body that still comes, nobody knows how large it will be.
        if message.contains(" maxFileSize ") {
            text = ":maxFileSize SIZE"
        } else if message.contains(" maxPixels ") {
            let needed = Self.pixels(message.split(separator: " ")).map(Self.roundedUp)
            text = ":maxPixels " + (needed.flatMap { Self.allowed.contains($0) ? String($0) : nil } ?? "NUMBER")
        } else {
            return nil
        }
    }

    /// Those of `12,000 × 11,000`, and what `needs 2,000,000,000 bytes` means as pixels, whichever is more.
    private static func pixels(_ words: [Substring]) -> Int? {
        guard let sign = words.firstIndex(of: "×"), sign > 0, sign + 1 < words.count,
            let width = number(words[sign - 1]), let height = number(words[sign + 1])
        else { return nil }
        let (pixels, isOver) = width.multipliedReportingOverflow(by: height)
        guard !isOver else { return nil }
        guard let needs = words.firstIndex(of: "needs"), needs + 1 < words.count,
            let bytes = number(words[needs + 1])
        else { return pixels }
        // Two bitmaps of four bytes a pixel are allowed.
        return max(pixels, bytes / 8 + 1)
    }

    private static func number(_ word: Substring) -> Int? { Int(word.filter { $0 != "," }) }

    /// To two figures, which are typed more easily: 132,000,000 as 140,000,000.
    private static func roundedUp(_ count: Int) -> Int {
        var (rest, unit) = (count, 1)
        while rest > 99 { (rest, unit) = (rest / 10 + (rest % 10 > 0 ? 1 : 0), unit * 10) }
        let (rounded, isOver) = rest.multipliedReportingOverflow(by: unit)
        return isOver ? .max : rounded
    }
}
