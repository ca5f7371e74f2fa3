internal import CLinux
package import SluiceCore

/// What the system says of a file, by which one that was saved is known again.
package struct FileStatus {
    package let isPlain: Bool
    package let size: Int
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let identity: FileIdentity

    /// Of an open file; `nil` if the system does not say.
    package init?(_ descriptor: Int32) { self.init("", in: descriptor) }

    /// Of a name, links not followed; `nil` if nothing has it.
    ///
    /// - Parameters:
    ///   - name: In the folder, or absolute.
    ///   - folder: Open, or `AT_FDCWD`.
    package init?(_ name: String, in folder: Int32) {
        var file = sluice_file()
        guard unsafe sluice_describe_file(folder, name, &file) == 0 else { return nil }
        (isPlain, size) = (file.is_plain, Int(file.size))
        // A server may date a file beyond what 64 bits count.
        let (seconds, isOver) = file.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        modified = isOver ? (file.seconds < 0 ? .min : .max) : seconds + file.nanoseconds
        identity = FileIdentity(inode: file.inode, born: file.born)
    }

    /// As a saved file of this path.
    package func saved(_ path: String) -> SavedFile {
        SavedFile(path: path, size: size, modified: modified, identity: identity)
    }

    /// Whether it is a plain file as it was saved, and no other that came in its place.
    package func isSame(as saved: SavedFile) -> Bool {
        isPlain && size == saved.size && modified == saved.modified && saved.identity.map { $0 == identity } ?? true
    }
}
