public import SluiceCore

/// What the origin answers to one request, with every fault it has to show.
///
/// Unless told otherwise the answer is correct HTTP: `Content-Length` or chunks fit the
/// body, a HEAD request gets no body, and the connection stays open.
public struct OriginResponse: Sendable {
    /// The bytes of a body before any encoding.
    public enum Body: Sendable {
        /// All of it, as it is.
        case bytes([UInt8])
        /// `count` bytes of ``OriginPattern`` from offset `from`; made as they are sent, so any size is fine.
        case pattern(count: Int, from: Int = 0)
        /// `count` zero bytes; gzip and deflate shrink them about 1030 to 1.
        case zeros(count: Int)

        /// No bytes; still framed as the answer says.
        public static let empty = Body.bytes([])

        /// In bytes, before any encoding.
        public var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .pattern(let count, _), .zeros(let count): count
            }
        }
    }

    /// How the client learns where the body ends.
    public enum Framing: Equatable, Sendable {
        /// By `Content-Length`.
        case length
        /// In chunks of at most `size` bytes.
        case chunked(size: Int = 16_384)
        /// By the end of the connection.
        case untilClose
    }

    /// How the body is encoded; the field `Content-Encoding` is added.
    public enum Encoding: String, Sendable {
        case gzip
        case deflate
    }

    /// What goes wrong, and where.
    ///
    /// Bytes of the body count as sent, after encoding and without the frames of chunks.
    public enum Fault: Sendable {
        /// Closes without a byte.
        case noAnswer
        /// Sends nothing and stays open until the client closes.
        case silence
        /// Resets the connection without a byte.
        case resetUnanswered
        /// Sends these bytes instead of any HTTP, then closes.
        case raw([UInt8])
        /// Closes after so many bytes of the body; `.max` leaves out only the last chunk.
        case close(after: Int)
        /// Resets the connection after so many bytes of the body.
        case reset(after: Int)
        /// Sends nothing more after so many bytes of the body, and stays open until the client closes.
        case stall(after: Int)
    }

    /// A head that is sent before the final one, such as 103.
    public struct Interim: Sendable {
        /// From 100 to 199.
        public var status: Int
        /// Sent as they are.
        public var headers: [HeaderField]
        /// An interim head, such as `103` with links.
        public init(status: Int, headers: [HeaderField] = []) { (self.status, self.headers) = (status, headers) }
    }

    /// Sent as it stands, whatever it means.
    public var status: Int
    /// Behind the status in the first line.
    public var reason: String
    /// Sent as they are, before those that the origin adds.
    public var headers: [HeaderField]
    /// What a GET gets; a HEAD gets its fields alone.
    public var body: Body
    /// How its end is told.
    public var framing = Framing.length
    /// How it is packed; `nil` sends it as it is.
    public var encoding: Encoding?
    /// In order, each right before the next.
    public var interim: [Interim] = []
    /// Before the first byte of the answer.
    public var delay: Duration = .zero
    /// How fast the body goes out, at most; `nil` means as fast as the client reads. `1...`
    public var bytesPerSecond: Int?
    /// Places in the body where it waits while the gate of that name is held, see ``Origin/hold(_:)``; ascending.
    public var gates: [(after: Int, name: String)] = []
    /// Values of `Content-Length` to send instead of the true one, each in a field of its own.
    public var declaredLengths: [String]?
    /// Sent after the complete body.
    public var extra: [UInt8] = []
    /// `nil` for an answer that is as it should be.
    public var fault: Fault?

    /// - Parameters:
    ///   - status: `100...999`
    ///   - reason: The reason phrase; `nil` means the usual one.
    ///   - headers: Fields in the order to send.
    ///   - body: What the client gets.
    public init(_ status: Int = 200, reason: String? = nil, headers: [HeaderField] = [], body: Body = .empty) {
        (self.status, self.headers, self.body) = (status, headers, body)
        self.reason = reason ?? Self.usualReason(status)
    }

    /// A body with its type.
    public static func bytes(_ bytes: [UInt8], type: String = "application/octet-stream") -> OriginResponse {
        OriginResponse(headers: [HeaderField("Content-Type", type)], body: .bytes(bytes))
    }

    /// A text, as UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> OriginResponse {
        bytes(Array(text.utf8), type: type)
    }

    /// A redirect to an absolute URL or to a path.
    public static func redirect(to location: String, status: Int = 302) -> OriginResponse {
        OriginResponse(status, headers: [HeaderField("Location", location)])
    }

    private static func usualReason(_ status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 103: "Early Hints"
        case 200: "OK"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        default: "Status"
        }
    }
}
