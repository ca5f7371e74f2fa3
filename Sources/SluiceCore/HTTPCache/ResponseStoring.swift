/// The bytes of a response that is to be stored.
public enum ResponseBody: Sendable {
    case bytes([UInt8])
    /// A file of the user's with just these bytes: shared with it where the file system can, else copied.
    case file(SavedFile)
    /// An open file with just so many bytes; the store closes it.
    case descriptor(Int32, count: Int)

    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.size
        case .descriptor(_, let count): count
        }
    }
}

/// Where the body of a stored response can be read.
public enum ResponseBodyPlace: Sendable {
    case bytes([UInt8])
    /// Must have just this size and time; else somebody changed it.
    case file(SavedFile)
    /// To be duplicated before use, and read from its start.
    case descriptor(Int32)
}

/// How full the HTTP cache is, the other processes that share it included.
public struct HTTPCacheFigures: Equatable, Sendable {
    /// Bytes of all bodies.
    public var usage = 0
    /// In bytes; 0 means no limit.
    public var capacity = 0
    /// Stored responses.
    public var count = 0
    public init() {}
}

/// A stored response that had to go.
public struct EvictedResponse: Equatable, Sendable {
    public let url: String
    /// Of its body.
    public let bytes: Int
    public let why: HTTPCacheWhy
    /// Of all bodies, once it was gone.
    public let usage: Int

    public init(url: String, bytes: Int, why: HTTPCacheWhy, usage: Int) {
        (self.url, self.bytes, self.why, self.usage) = (url, bytes, why, usage)
    }
}

/// Keeps responses and their bodies across sessions.
///
/// Confined to the pipeline's thread. What is added can be found at once; it is on disk a
/// moment later, written by a thread of the store's own. No call waits for that thread.
public protocol ResponseStoring: AnyObject {
    /// Bytes that bodies may have together.
    var figures: HTTPCacheFigures { get }
    /// Every response stored for a URL.
    func responses(for url: String, now: Timestamp) -> [StoredResponse]
    /// Stores a response in place of those that it replaces, and makes room for it.
    ///
    /// - Returns: It with its identifier, and what had to go; `nil` if its body is larger than the capacity, or nothing can be stored.
    func add(
        _ response: StoredResponse,
        _ body: ResponseBody,
        now: Timestamp
    ) -> (response: StoredResponse, evicted: [EvictedResponse])?
    /// Keeps the changed head of a response.
    func update(_ response: StoredResponse)
    /// Says that a response was used now.
    func use(_ response: StoredResponse)
    func remove(_ response: StoredResponse)
    func body(of response: StoredResponse) -> ResponseBodyPlace
    /// Keeps a body that was read in memory too, where there is room.
    func keepInMemory(_ bytes: [UInt8], of response: StoredResponse, now: Timestamp)
    /// Changes the limits, in bytes; 0 means none.
    ///
    /// - Returns: What had to go.
    func resize(capacity: Int, memory: Int, now: Timestamp) -> [EvictedResponse]
    /// Writes what is left; nothing may be asked of it afterwards.
    func close()
    /// What went without having been asked for: by another process, by age, or because it could not be written.
    func nextEviction() -> EvictedResponse?
}
