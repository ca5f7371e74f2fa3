extension MergeKey {
    /// A key as people see it, to find things by that may be of other sessions, which know it only so.
    ///
    /// Hashed once; most keys have been hashed already.
    public struct Text: Hashable, Sendable {
        /// See ``MergeKey/text``.
        public let string: String
        private let hash: Int

        /// The URL of a key that says more than that; `nil` where the text is the URL, and for what was asked for once.
        public var urlOfMore: String? { url(before: " #") }

        /// The URL of a request that was one of its kind, such as a POST: its answer is the body of no other.
        public var urlOfOnce: String? { url(before: " !") }

        private func url(before mark: String) -> String? {
            let end = string.suffix(10)
            guard end.count == 10, end.hasPrefix(mark), end.dropFirst(2).allSatisfy(\.isHexDigit) else { return nil }
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
