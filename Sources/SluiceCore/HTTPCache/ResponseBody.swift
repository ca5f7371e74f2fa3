/// The bytes of a response that is to be stored.
public enum ResponseBody: Sendable {
    /// All of it, in memory.
    case bytes([UInt8])
    /// A file of the user's with just these bytes: shared with it where the file system can, else copied.
    case file(SavedFile)
    /// An open file with just so many bytes; the store closes it.
    case descriptor(Int32, count: Int)

    /// In bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.size
        case .descriptor(_, let count): count
        }
    }
}
