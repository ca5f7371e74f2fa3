/// Which file a part is, so that it is found again and not mistaken for another of its name.
public struct PartLocation: Hashable, Sendable {
    /// The destination directory, absolute, links resolved.
    public var directory: String
    /// The folder below it, or `nil`.
    public var folder: String?
    /// The name that was wished for; safe.
    public var name: String
    /// Which of the names made from it the part goes with, from 0.
    public var index: Int
    /// Of the file, as the system counts.
    public var inode: UInt64
    /// When the file was made, in nanoseconds since 1970; 0 where the file system does not say.
    public var born: Int64

    /// A part, by all that tells it from another file.
    public init(directory: String, folder: String?, name: String, index: Int, inode: UInt64, born: Int64) {
        (self.directory, self.folder, self.name, self.index) = (directory, folder, name, index)
        (self.inode, self.born) = (inode, born)
    }
}
