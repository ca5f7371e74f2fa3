extension MergeKey {
    /// A key as people see it, to find things by that may be of other sessions, which know it only so.
    ///
    /// Hashed once; most keys have been hashed already.
    public struct Text: Hashable, Sendable {
        /// See ``MergeKey/text``.
        public let string: String
        private let hash: Int

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
