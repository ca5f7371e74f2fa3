/// A session of the cache, as it began.
struct ResponseSession: Sendable {
    let id: Int
    /// The first identifier of its block.
    let first: Int64
    /// Whether it was the only one.
    let wasAlone: Bool

    /// Behind its block; where the next session's begins.
    var end: Int64 { first + ResponseIndex.block }
}
