/// What requests of one origin share; immutable.
public final class RequestOptions: Sendable {
    /// A GET at normal priority that saves a file and leaves everything else to the settings.
    public static let standard = RequestOptions()

    /// Header fields that the user set; part of the merge key.
    public let headers: [HeaderField]
    /// `nil` means as the settings say.
    public let policy: CachePolicy?
    /// The request's own claim; a task has the highest of its requests'.
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

    /// What differs from ``standard``.
    ///
    /// Nothing is checked here. What people wrote is to be checked before, as command line, socket and prompt do: a
    /// field by ``HeaderField/init(checking:_:)``, a destination by ``DestinationPath/problem(with:)``.
    ///
    /// - Parameters:
    ///   - headers: The user's own; another field, another download.
    ///   - policy: Which answers it may have; `nil` for that of the settings.
    ///   - priority: Among those that wait.
    ///   - saves: Whether a file is wanted. Where nobody wants one, an image is decoded.
    ///   - destination: Relative to the destination directory, or absolute; `nil` lets the answer name the file.
    ///   - retryFailed: Whether it is tried though it failed a while ago.
    ///   - method: As sent. Another one than GET merges with nothing, and no cache answers it.
    ///   - body: What is sent along; with one it merges with nothing.
    ///   - sha256: 64 lower-case hexadecimal digits; a body with another sum fails.
    ///   - stores: Whether the HTTP cache may keep the answer.
    ///   - thumbnail: The box that the image is scaled to fit; with one it is decoded whatever the settings say.
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

    /// All of another one, but for these.
    private init(_ other: RequestOptions, headers: [HeaderField], retryFailed: Bool) {
        (self.headers, self.retryFailed) = (headers, retryFailed)
        (policy, priority, saves, destination) = (other.policy, other.priority, other.saves, other.destination)
        (method, body, sha256) = (other.method, other.body, other.sha256)
        (stores, thumbnail) = (other.stores, other.thumbnail)
    }

    /// The same, whatever the failed list says.
    public var retrying: RequestOptions { RequestOptions(self, headers: headers, retryFailed: true) }

    /// The same with other fields of the user's.
    public func with(headers: [HeaderField]) -> RequestOptions {
        RequestOptions(self, headers: headers, retryFailed: retryFailed)
    }

    /// Whether the user asked for a part, for a comparison, or for something to be done: such a request has an
    /// answer of its own, which is never continued by a later one.
    public var isUnmergeable: Bool {
        method != "GET" || body != nil || asksForPart
    }

    /// The destination, to tell it from others.
    package var place: ExactText? { destination.map(ExactText.init) }

    /// Whether it wants a file just there; `nil` is the usual place.
    package func saves(at destination: String?) -> Bool { saves && self.destination.hasSameBytes(as: destination) }

    /// Whether 304 and 206 are answers to it.
    package var asksForPart: Bool { headers.contains(where: \.asksForPart) }
}
