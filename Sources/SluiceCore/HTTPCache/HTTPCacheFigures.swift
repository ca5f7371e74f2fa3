/// How full the HTTP cache is, the other processes that share it included.
public struct HTTPCacheFigures: Equatable, Sendable {
    /// Bytes of all bodies.
    public var usage = 0
    /// In bytes; 0 means no limit.
    public var capacity = 0
    /// Stored responses.
    public var count = 0
    /// Those of no cache at all.
    public init() {}
}
