/// Where the body of a stored response can be read.
public enum ResponseBodyPlace: Sendable {
    /// All of it, in memory: it is not on disk yet, or among the hottest.
    case bytes([UInt8])
    /// Must have just this size and time; else somebody changed it.
    case file(SavedFile)
    /// To be duplicated before use, and read from its start.
    case descriptor(Int32)
}
