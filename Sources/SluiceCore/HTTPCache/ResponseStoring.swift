/// Keeps responses and their bodies across sessions.
///
/// Confined to the pipeline's thread. What is added can be found at once; it is on disk a
/// moment later, written by a thread of the store's own. No call waits for that thread.
public protocol ResponseStoring: AnyObject {
    /// How full it is, what other processes stored included, and what it may hold.
    var figures: HTTPCacheFigures { get }
    /// Lets ``figures`` tell what other processes did meanwhile, too; worth one look at the disk's index.
    func lookAgain()
    /// Every response stored for a URL.
    func responses(for url: String, now: Timestamp) -> [StoredResponse]
    /// A place for a body of so many bytes, which a file gets before it is known; `nil` where there may be none.
    func reserve(_ byteCount: Int) -> ReservedBody?
    /// Stores a response in place of those that it replaces, and makes room for it.
    ///
    /// - Parameters:
    ///   - response: Without its identifier.
    ///   - body: Its bytes.
    ///   - reserved: What the file got with its name, which must be the one that it is at.
    ///   - now: The time of the turn.
    /// - Returns: It with its identifier, and what had to go.
    /// - Throws: Why it is not stored: its body is larger than the capacity, a newer response is stored in its place, or
    ///   nothing can be written.
    func add(
        _ response: StoredResponse,
        _ body: ResponseBody,
        reserved: ReservedBody?,
        now: Timestamp
    ) throws(StoringRefusal) -> (response: StoredResponse, evicted: [EvictedResponse])
    /// Keeps the changed head of a response.
    func update(_ response: StoredResponse)
    /// Says that a response was used now.
    func use(_ response: StoredResponse)
    /// Forgets a response and its body; one that is gone already is ignored.
    func remove(_ response: StoredResponse)
    /// Where its body can be read now; that a file is still there only opening it shows.
    func body(of response: StoredResponse) -> ResponseBodyPlace
    /// Keeps a body that was read in memory too, where there is room.
    func keepInMemory(_ bytes: [UInt8], of response: StoredResponse, now: Timestamp)
    /// Changes the limits, in bytes; 0 means none.
    ///
    /// - Returns: What had to go.
    func resize(capacity: Int, memory: Int, now: Timestamp) -> [EvictedResponse]
    /// Whether all that was asked for so far is on disk, as far as it can be.
    var isWritten: Bool { get }
    /// Has what waits written at once: no more is expected soon.
    func hasten()
    /// Writes what is left; nothing may be asked of it afterwards.
    func close()
    /// What went without having been asked for: by another process, by age, or because it could not be written.
    func nextEviction() -> EvictedResponse?
    /// Why nothing is stored or found any more, once for all; `nil` as long as all is well, and when it was told.
    func takeLoss() -> String?
}

/// What an answer is not stored for.
public struct StoringRefusal: Error {
    /// One of the reasons of what is not stored.
    public let why: HTTPCacheWhy

    /// - Parameter why: One of the reasons of what is not stored.
    public init(_ why: HTTPCacheWhy) { self.why = why }
}
