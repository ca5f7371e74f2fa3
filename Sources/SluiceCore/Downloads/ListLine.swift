/// What a line of a list asks for, apart from what it says to people.
///
/// A `#` begins a comment at the start of a line and behind a blank; in the middle of a word it belongs to the URL,
/// whose fragment it begins. Works on bytes, since lists can be large.
public enum ListLine {
    /// The line without its comment, and without blanks at either end; empty where it asks for nothing.
    ///
    /// - Complexity: O(length of `line`).
    public static func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while let first = line.first, isBlank(first) { line = line.dropFirst() }
        let comment = line.indices.first { index in
            line[index] == UInt8(ascii: "#") && (index == line.startIndex || isBlank(line[index - 1]))
        }
        if let comment { line = line[..<comment] }
        while let last = line.last, isBlank(last) { line = line.dropLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
