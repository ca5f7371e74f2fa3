/// What proves that two answers are byte for byte the same version of a resource.
///
/// Only strong validators are any: with a weak one, parts of two versions could be joined.
///
/// - SeeAlso: RFC 9110 §8.8
public enum EntityValidator: Hashable, Sendable {
    /// A strong entity tag, with its quotes.
    case entityTag(String)
    /// A date that was old enough when the answer was made that the body can't have changed within its second.
    case lastModified(String)

    /// Between the last change and the answer, in seconds, at least.
    private static let leastAge = 1

    /// The validator of an answer; `nil` if it has no strong one.
    ///
    /// An answer with a weak tag has none: its date must not be used instead (RFC 9110 §13.1.5).
    public init?(_ head: ResponseHead) {
        if let tag = head.entityTag {
            guard Self.isStrong(tag) else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let text = head.lastModifiedText, let modified = head.lastModified, let date = head.date,
            date - modified >= Self.leastAge
        else { return nil }
        self = .lastModified(text)
    }

    /// By their bytes, as servers compare them.
    public static func == (left: EntityValidator, right: EntityValidator) -> Bool {
        switch (left, right) {
        case (.entityTag(let left), .entityTag(let right)), (.lastModified(let left), .lastModified(let right)):
            left.hasSameBytes(as: right)
        default: false
        }
    }

    /// As `If-Range` wants it.
    public var text: String {
        switch self {
        case .entityTag(let text), .lastModified(let text): text
        }
    }

    /// Quoted, not weak, and nothing in it that the quotes could end in.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        // What stands for bytes that are no UTF-8: two such tags may differ.
        if tag.unicodeScalars.contains("\u{FFFD}") { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
    }
}
