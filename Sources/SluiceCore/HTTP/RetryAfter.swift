/// Reads how long a server asks to wait.
///
/// - SeeAlso: RFC 9110 §10.2.3
public enum RetryAfter {
    /// In seconds: longer wishes are all the same.
    private static let longest = 366 * 86_400

    /// Parses seconds or a date.
    ///
    /// - Parameters:
    ///   - field: The value of `Retry-After`.
    ///   - now: Seconds since 1970, for the dates.
    /// - Returns: Zero for a date that has passed, at most a year, `nil` for what is neither seconds nor date.
    public static func parse(_ field: String, now: Int) -> Duration? {
        let text = field.drop { $0 == " " || $0 == "\t" }
        guard let last = text.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return nil }
        let trimmed = text[...last]
        if trimmed.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return .seconds(min(Int(trimmed) ?? longest, longest))
        }
        return HTTPDate.parse(String(trimmed)).map { .seconds(min(max($0 - now, 0), longest)) }
    }
}
