/// A text that equals another only where both have the same bytes.
///
/// Swift's strings are equal where people see the same: `ń` as one scalar, and as an `n` with an accent. File systems,
/// servers and passwords tell those apart, so what is found by a path or a secret is found by this.
///
/// - SeeAlso: Unicode Standard Annex 15, canonical equivalence
public struct ExactText: Hashable, Sendable {
    public let string: String

    /// - Parameter string: Any.
    public init(_ string: String) { self.string = string }

    public static func == (left: ExactText, right: ExactText) -> Bool { left.string.hasSameBytes(as: right.string) }

    /// Texts of other bytes that look the same share their hash, which is rare enough.
    public func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension String {
    /// Whether another text is the same byte for byte, and not only to the eye.
    ///
    /// - Complexity: O(n).
    public func hasSameBytes(as other: String) -> Bool {
        // Most that differ are told apart by the first two, which are quick.
        let (left, right) = (utf8Span, other.utf8Span)
        guard left.count == right.count, self == other else { return false }
        return left.isKnownASCII && right.isKnownASCII || utf8.elementsEqual(other.utf8)
    }
}

extension Optional<String> {
    /// Whether both are none, or both are texts of the same bytes.
    public func hasSameBytes(as other: String?) -> Bool { map(ExactText.init) == other.map(ExactText.init) }
}
