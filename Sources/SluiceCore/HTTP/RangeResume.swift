/// Decides whether what a server sends continues a body of which the first part is there.
///
/// Two versions of a resource are never joined: bytes are appended only if the server
/// says that they start where ours end, and that they are of the same version by a strong
/// validator. Everything else starts over. Pure: it judges heads, and moves no bytes.
///
/// - SeeAlso: RFC 9110 §13.1.5, §14, §15.3.7, §15.5.17
public struct RangeResume: Equatable, Sendable {
    /// What is known of the bytes that are there.
    public struct Part: Equatable, Sendable {
        /// Of the version that the bytes are of.
        public let validator: EntityValidator
        /// Bytes of the whole, if the server said so.
        public let total: Int?
        /// Bytes that are there and good. `1...`
        public let length: Int
        /// Where its bytes came from, after redirects; empty where a user says that it is the same elsewhere.
        ///
        /// A validator tells versions of one resource apart, and says nothing of another's.
        public let source: String

        /// A part that a store has open, up to where its bytes are good.
        public init(validator: EntityValidator, total: Int?, length: Int, source: String = "") {
            (self.validator, self.total, self.length, self.source) = (validator, total, length, source)
        }
    }

    /// What to do with an answer to a request for the rest.
    public enum Decision: Equatable, Sendable {
        /// The body continues the part; `total` is what the whole will have.
        case append(total: Int)
        /// The part is the whole already; the body of this answer is nothing of it.
        case complete
        /// The body is a whole one, which replaces the part.
        case startOver
        /// The body fits nothing: drop the part, and ask for all of it.
        case askAgain(String)
        /// The answer says nothing of the resource, as an error page does; the part stays.
        case unrelated
    }

    /// What is there.
    public let part: Part

    /// Asks for what a part lacks.
    public init(_ part: Part) { self.part = part }

    /// The fields to ask with.
    public var headers: [HeaderField] {
        [HeaderField("Range", "bytes=\(part.length)-"), HeaderField("If-Range", part.validator.text)]
    }

    /// Judges the head of the answer to a request with ``headers``.
    public func judge(_ head: ResponseHead) -> Decision {
        switch head.status {
        case 206: judgePart(head)
        case 416: judgeRefusal(head)
        // No bytes at all would replace those that are there.
        case 204, 205, 304: .askAgain("the server answered \(head.status) to a range, which says nothing")
        case 200...299: .startOver
        // Nothing but the range and its condition can be meant. Other refusals may be of a URL that expired.
        case 412, 501: .askAgain("the server answered \(head.status) to a range, as if it gave none")
        default: .unrelated
        }
    }

    private func judgePart(_ head: ResponseHead) -> Decision {
        if head.isEncoded { return .askAgain("the server sent an encoded part of what came plain before") }
        guard let text = head.contentRange, let sent = ContentRange(text), let range = sent.range else {
            return .askAgain("the server sent a part without saying which")
        }
        guard range.lowerBound == part.length else {
            return .askAgain("the server sent from byte \(range.lowerBound), and was asked for \(part.length)")
        }
        if let expected = head.expected, expected != range.count {
            return .askAgain("the server announced \(range.count) bytes, and \(expected) in the same head")
        }
        if let total = sent.total, let known = part.total, total != known {
            return .askAgain("the whole had \(known) bytes before, and has \(total) now")
        }
        if let known = part.total, range.upperBound > known {
            return .askAgain("the server sent more than the \(known) bytes of the whole")
        }
        guard isSameResource(head.finalURL) else {
            return .askAgain("a redirect leads elsewhere now, where the same tag may be another version's")
        }
        guard isSame(head) else { return .askAgain("the server has another version now") }
        // A server may send less than it was asked for, and then nothing would tell that something is missing.
        guard let total = sent.total ?? part.total else {
            return .askAgain("the server does not say how long the whole is")
        }
        return .append(total: total)
    }

    /// A server that looks at `If-Range` refuses a range only of the same version; one that does not has to name it.
    private func judgeRefusal(_ head: ResponseHead) -> Decision {
        if let text = head.contentRange, let sent = ContentRange(text), sent.range == nil, sent.total == part.length,
            part.total == nil || part.total == part.length, isSameResource(head.finalURL),
            case .entityTag(let tag) = part.validator,
            head.entityTag.hasSameBytes(as: tag)
        {
            return .complete
        }
        return .askAgain("the server has no byte \(part.length): it has another version now")
    }

    /// Whether the answer is of the resource that the bytes came from; in the query signatures change from one to the next.
    private func isSameResource(_ url: String) -> Bool {
        func place(_ url: String) -> Substring { url.prefix { $0 != "?" } }
        return part.source.isEmpty || part.source == url || place(part.source) == place(url)
    }

    /// Whether a part is of the version that is there.
    ///
    /// A tag must be repeated with every part; a date may be left out, since the condition was kept.
    private func isSame(_ head: ResponseHead) -> Bool {
        switch part.validator {
        case .entityTag(let tag): head.entityTag.hasSameBytes(as: tag)
        case .lastModified(let text): head.lastModifiedText.map { $0 == text } ?? true
        }
    }
}
