/// What was asked for: a URL and how to fetch it.
///
/// Small on purpose, since hundreds of thousands may wait: what requests of one
/// command line or one list have in common is shared in ``RequestOptions``.
public struct DownloadRequest: Sendable {
    /// Where a request came from, for the screen and the why-sentences.
    public enum Source: Equatable, Sendable {
        /// A URL on the command line.
        case argument
        /// A URL typed alone at the prompt.
        case prompt
        /// One of several URLs of a line that was typed there.
        case promptLine
        /// One of several URLs that were pasted.
        case paste
        /// Line of standard input, from 1.
        case standardInput(line: Int)
        /// A list file and its line, from 1.
        case list(name: String, line: Int)
        /// A batch of prefetched URLs, and which.
        case prefetch(BatchID)
        /// The scripted feed of the demo.
        case feed
        /// The HTTP cache, which asks the origin behind an answer that it gave.
        case revalidation
        /// A program that uses the library.
        case program
        /// A place for a picture on the screen; the number of its question.
        ///
        /// Where memory answers it, or nothing does, no event tells of it.
        case view(Int)

        /// Whether a picture on the screen asks.
        public var isView: Bool {
            if case .view = self { true } else { false }
        }

        /// Whether nobody asked for it: the screen draws a picture, or the cache asks behind an answer.
        public var isBehind: Bool { isView || self == .revalidation }

        /// Whether the next session goes on with it where this one ends first; nobody would miss the others there.
        public var isKept: Bool {
            if case .prefetch = self { false } else { !isBehind }
        }

        /// Whether the user named this URL alone, which is a wish to try again what failed before.
        public var isNamed: Bool { self == .argument || self == .prompt }
    }

    /// As given; normalised by the pipeline.
    public var url: String
    /// How to fetch it; shared with other requests of the same origin.
    public var options: RequestOptions
    /// Decides whether it may try again what failed before, and what tells of it.
    public var source: Source
    /// Comes back in the receipt's events; at most 200 bytes.
    public var tag: String?

    /// A request for a URL.
    ///
    /// - Parameters:
    ///   - url: `http`, `https`, `file` or `data`, absolute; checked when it is submitted.
    ///   - options: How to fetch it; share one object among many requests.
    ///   - source: Where it came from; `program` for users of the library.
    ///   - tag: Comes back in events. At most 200 bytes.
    public init(_ url: String, options: RequestOptions = .standard, source: Source = .program, tag: String? = nil) {
        (self.url, self.options, self.source, self.tag) = (url, options, source, tag)
    }
}
