extension MergeKey {
    /// A key as people see it, to find things by that may be of other sessions, which know it only so.
    ///
    /// Hashed once; most keys have been hashed already.
    public struct Text: Hashable, Sendable {
        /// See ``MergeKey/text``.
        public let string: String
        private let hash: Int

        /// The URL of a key that says more than that; `nil` where the text is the URL.
        public var urlOfMore: String? {
            let mark = string.suffix(10)
            guard mark.count == 10, mark.hasPrefix(" #"), mark.dropFirst(2).allSatisfy(\.isHexDigit) else { return nil }
            return String(string.dropLast(10))
        }

        /// - Parameter string: A key as text, of whatever session.
        public init(_ string: String) { self.init(string, hash: nil) }

        /// - Parameters:
        ///   - string: As above.
        ///   - hash: Its `hashValue`, if that is known.
        init(_ string: String, hash: Int?) { (self.string, self.hash) = (string, hash ?? string.hashValue) }

        public static func == (left: Text, right: Text) -> Bool {
            left.hash == right.hash && left.string == right.string
        }

        /// Hashes what was hashed when the text was made.
        public func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }
}
