/// What a screen looks at beyond rows and counters: one task, and the largest images in memory.
///
/// Snapshots hold the answer; what nobody looks at costs nothing.
public struct Inspection: Equatable, Sendable {
    /// Whose facts the snapshots hold; `nil` for none.
    public var task: TaskID?
    /// Entries of the memory cache. `0...100`
    public var largest: Int

    /// Asks for nothing, unless told otherwise.
    public init(task: TaskID? = nil, largest: Int = 0) { (self.task, self.largest) = (task, largest) }
}
