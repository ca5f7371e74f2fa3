public import SluiceCore

/// A request as the origin received it.
public struct OriginRequest: Sendable {
    /// As sent.
    public let method: String
    /// As sent: path and query.
    public let target: String
    /// In the order sent.
    public let headers: [HeaderField]
    /// Whole, as announced by `Content-Length`; empty if there was none, and chunks are not understood.
    public let body: [UInt8]
    /// The connection it came on; connections count from 1 in the order accepted.
    public let connection: Int

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The value of the first field of that name, whose case does not matter.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}
