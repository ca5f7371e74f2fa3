/// What was asked for: a URL and how to fetch it.
///
/// Small on purpose, since hundreds of thousands may wait: what requests of one
/// command line or one list have in common is shared in ``RequestOptions``.
public struct DownloadRequest: Sendable {
    /// Where a request came from, for the screen and the why-sentences.
    public enum Source: Equatable, Sendable {
        case argument
        case prompt
        case paste
        /// Line of standard input, from 1.
        case standardInput(line: Int)
        /// A list file and its line, from 1.
        case list(name: String, line: Int)
        case prefetch(BatchID)
        /// The scripted feed of the demo.
        case feed
        /// A program that uses the library.
        case program

        /// Whether the user named this URL alone, which is a wish to try again what failed before.
        public var isNamed: Bool { self == .argument || self == .prompt }
    }

    /// As given; normalised by the pipeline.
    public var url: String
    public var options: RequestOptions
    public var source: Source
    /// Comes back in the receipt's events; at most 200 bytes.
    public var tag: String?

    public init(_ url: String, options: RequestOptions = .standard, source: Source = .program, tag: String? = nil) {
        (self.url, self.options, self.source, self.tag) = (url, options, source, tag)
    }
}

/// What requests of one origin share; immutable.
public final class RequestOptions: Sendable {
    public static let standard = RequestOptions()

    /// Header fields that the user set; part of the merge key.
    public let headers: [HeaderField]
    /// `nil` means as the settings say.
    public let policy: CachePolicy?
    public let priority: Priority
    /// Whether the body is saved as a file in the destination directory.
    public let saves: Bool
    /// A file name or path relative to the destination directory; `nil` lets the answer name the file.
    public let destination: String?
    /// Whether the failed list is ignored.
    public let retryFailed: Bool

    public init(
        headers: [HeaderField] = [],
        policy: CachePolicy? = nil,
        priority: Priority = .normal,
        saves: Bool = true,
        destination: String? = nil,
        retryFailed: Bool = false
    ) {
        (self.headers, self.policy, self.priority) = (headers, policy, priority)
        (self.saves, self.destination, self.retryFailed) = (saves, destination, retryFailed)
    }
}

/// Which answers a request may have without asking the origin.
///
/// - SeeAlso: NSURLRequest.CachePolicy, whose cases these follow.
public enum CachePolicy: String, CaseIterable, Sendable {
    /// Memory, then the network.
    case `protocol`
    /// Any stored answer, however stale, else the network.
    case cacheElseLoad
    /// Any stored answer, never the network.
    case cacheOnly
    /// The network, with `Cache-Control: no-cache`, ignoring what is stored.
    case reload
    /// Always asks the origin.
    case revalidate
}

/// One header field, name and value as sent or received.
public struct HeaderField: Hashable, Sendable {
    public let name: String
    public let value: String
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
