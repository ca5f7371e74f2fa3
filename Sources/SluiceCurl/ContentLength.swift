import SluiceCore

/// Reads `Content-Length` with the distrust that it deserves.
///
/// A wrong length hides a truncated body or mixes two answers, so curl's forgiving
/// reading is not enough. Parses only.
enum ContentLength {
    /// More is no file but a mistake or an attack.
    static let limit = 1 << 62

    /// - Parameter values: The values of all such fields, in order; each may be a list.
    /// - Returns: The one length that all agree on; `nil` if there is no field.
    /// - Throws: `badResponse`.
    static func read(_ values: [String]) throws(DownloadError) -> Int? {
        var agreed: Int?
        for value in values {
            for item in value.split(separator: ",", omittingEmptySubsequences: false) {
                let length = try number(item)
                if let agreed, agreed != length {
                    throw DownloadError(.badResponse, "the answer has two lengths: \(agreed) and \(length) bytes")
                }
                agreed = length
            }
        }
        return agreed
    }

    private static func number(_ text: Substring) throws(DownloadError) -> Int {
        let digits = text.utf8.drop { $0 == 32 || $0 == 9 }
        var length = 0
        var isOver = digits.isEmpty
        for (place, byte) in digits.enumerated() {
            // Blanks may follow, and nothing after them.
            if place > 0, digits.dropFirst(place).allSatisfy({ $0 == 32 || $0 == 9 }) { break }
            guard (48...57).contains(byte), length <= limit / 10 else {
                isOver = true
                break
            }
            length = length * 10 + Int(byte - 48)
        }
        if isOver || length > limit {
            throw DownloadError(.badResponse, "the answer has an impossible length: \(text)")
        }
        return length
    }
}
