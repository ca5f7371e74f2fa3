import SluiceCore

/// Reads `Content-Length` with the distrust that it deserves.
///
/// A wrong length hides a truncated body or mixes two answers, so curl's forgiving
/// reading is not enough. Parses only.
enum ContentLength {
    /// More is no file but a mistake or an attack.
    static let limit = 1 << 62

    /// Reads all fields of that name.
    ///
    /// - Parameter values: The values in order; each may be a list.
    /// - Returns: The one length that all agree on; `nil` if there is no field.
    /// - Throws: `badResponse`.
    static func read(_ values: [String]) throws(DownloadError) -> Int? {
        var agreed: Int?
        for value in values {
            if values.count == 1, let length = number(value.utf8) { return length }
            for item in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let length = number(item) else {
                    throw DownloadError(.badResponse, "the answer has an impossible length: \(value)")
                }
                if let agreed, agreed != length {
                    throw DownloadError(.badResponse, "the answer has two lengths: \(agreed) and \(length) bytes")
                }
                agreed = length
            }
        }
        return agreed
    }

    /// Reads one length: digits, and nothing else but blanks around them.
    ///
    /// - Parameter text: The bytes.
    /// - Returns: `nil` if it is none, or over ``limit``.
    static func number(_ text: some Sequence<UInt8>) -> Int? {
        var length: Int?
        var isOver = false
        for byte in text {
            if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                isOver = length != nil
                continue
            }
            guard !isOver, (48...57).contains(byte), (length ?? 0) <= limit / 10 else { return nil }
            length = (length ?? 0) * 10 + Int(byte - 48)
        }
        return length.flatMap { $0 <= limit ? $0 : nil }
    }
}
