/// What a terminal answers to questions about pictures.
enum TerminalReport: Equatable {
    /// Whether it can draw them.
    case graphics(isGood: Bool)
    /// Its name and version.
    case version(String)
    /// The size of a cell, in pixels.
    case cell(width: Int, height: Int)
    /// What it can do, in numbers that nobody needs here: everything answers this.
    case attributes

    /// Decodes a control sequence, without `ESC [` and with its final byte.
    init?(controlSequence bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("?"), text.hasSuffix("c") {
            self = .attributes
            return
        }
        let numbers = text.dropLast().split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
        guard text.hasSuffix("t"), numbers.count == 3, numbers[0] == 6, let height = numbers[1], let width = numbers[2]
        else { return nil }
        self = .cell(width: width, height: height)
    }

    /// Decodes a string sequence, from the byte after `ESC` on and without its end.
    init?(string bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("_G"), text.contains("i=31") {
            self = .graphics(isGood: text.hasSuffix(";OK"))
        } else if text.hasPrefix("P>|") {
            self = .version(String(text.dropFirst(3)))
        } else {
            return nil
        }
    }
}
