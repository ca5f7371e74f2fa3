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
            for item in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let length = number(Array(item).span) else {
                    // Sentences are kept by many, and a server may write as much as it likes.
                    let shown = VisibleText.visible(value, limit: 100)
                    throw DownloadError(.badResponse, "the answer has an impossible length: \(shown)")
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
    static func number(_ text: Span<UInt8>) -> Int? {
        let digits = text.extracting(text.trimmed)
        if digits.isEmpty { return nil }
        var length = 0
        for index in digits.indices {
            guard (48...57).contains(digits[index]), length <= limit / 10 else { return nil }
            length = length * 10 + Int(digits[index] - 48)
        }
        return length <= limit ? length : nil
    }
}
