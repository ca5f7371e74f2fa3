/// What a file keeps as long as it exists, whatever it is called and whoever writes to it.
///
/// Its number alone would be given again to the next file once it is gone.
public struct FileIdentity: Hashable, Sendable {
    /// In its file system.
    public let inode: UInt64
    /// Nanoseconds since 1970; 0 where the file system does not say.
    public let born: Int64

    /// What `statx(2)` says of it.
    public init(inode: UInt64, born: Int64) { (self.inode, self.born) = (inode, born) }
}
