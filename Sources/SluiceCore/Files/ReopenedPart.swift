/// How the bytes of a part that is opened again are used.
public struct ReopenWish: Equatable, Sendable {
    /// Bytes to use at most; those behind are written again.
    public var limit: Int?
    /// Bytes at the end to hand out and not to use, so that they can be compared with what comes.
    public var overlap = 0
    /// Bytes at the start to hand out, of a shorter part all.
    public var prefix: Int
    /// With an overlap, of a part that is shorter than the prefix so many are handed out and used, and a shorter one is not
    /// worth continuing.
    public var least = 0
    /// The folder that the user names instead of the destination directory.
    public var directory: String?
    /// All of the part is used, and so many bytes of its start are handed out.
    public init(prefix: Int) { self.prefix = prefix }
}

/// A part that is open again.
public struct ReopenedPart: Sendable {
    /// Names it from now on.
    public let file: FileID
    /// Bytes that are used, the overlap not counted: the next one is written behind them.
    public let length: Int
    /// Its first bytes.
    public let prefix: [UInt8]
    /// What stands behind them, to be compared.
    public let overlap: [UInt8]
    /// What a store found in a part that it opened again.
    public init(file: FileID, length: Int, prefix: [UInt8], overlap: [UInt8]) {
        (self.file, self.length, self.prefix, self.overlap) = (file, length, prefix, overlap)
    }
}
