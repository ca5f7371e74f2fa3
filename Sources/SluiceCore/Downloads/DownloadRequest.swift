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
        /// The HTTP cache, which asks the origin behind an answer that it gave.
        case revalidation
        /// A program that uses the library.
        case program
        /// A place for a picture on the screen; the number of its question.
        case view(Int)

        /// Whether a picture on the screen asks.
        public var isView: Bool {
            if case .view = self { true } else { false }
        }

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
    /// A path relative to the destination directory, or an absolute one; `nil` lets the answer name the file.
    public let destination: String?
    /// Whether the failed list is ignored.
    public let retryFailed: Bool
    /// Whether the HTTP cache may keep the answer.
    public let stores: Bool
    /// As sent: upper case for all that HTTP defines.
    public let method: String
    /// What is sent along; `nil` for none.
    public let body: [UInt8]?
    /// The SHA-256 that the body must have, as 64 lower-case hexadecimal digits; `nil` for any.
    public let sha256: String?
    /// The box that the image is scaled to fit; `nil` for the whole.
    ///
    /// Not part of the merge key: the download is shared.
    public let thumbnail: ThumbnailSize?

    public init(
        headers: [HeaderField] = [],
        policy: CachePolicy? = nil,
        priority: Priority = .normal,
        saves: Bool = true,
        destination: String? = nil,
        retryFailed: Bool = false,
        method: String = "GET",
        body: [UInt8]? = nil,
        sha256: String? = nil,
        stores: Bool = true,
        thumbnail: ThumbnailSize? = nil
    ) {
        (self.headers, self.policy, self.priority) = (headers, policy, priority)
        (self.saves, self.destination, self.retryFailed) = (saves, destination, retryFailed)
        (self.method, self.body, self.sha256, self.stores) = (method, body, sha256, stores)
        self.thumbnail = thumbnail
    }

    /// The same, whatever the failed list says.
    public var retrying: RequestOptions {
        RequestOptions(
            headers: headers,
            policy: policy,
            priority: priority,
            saves: saves,
            destination: destination,
            retryFailed: true,
            method: method,
            body: body,
            sha256: sha256,
            stores: stores,
            thumbnail: thumbnail
        )
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
    /// Any stored answer at once, however stale, and the origin behind it.
    case refresh
}

/// One header field, name and value as sent or received.
public struct HeaderField: Hashable, Sendable {
    public let name: String
    public let value: String
    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    /// Whether a request with it asks for a part, or compares: 206 and 304 are answers to such a one.
    public var asksForPart: Bool {
        let name = name.lowercased()
        return name == "range" || name.hasPrefix("if-")
    }
}
