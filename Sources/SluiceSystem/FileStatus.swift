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
        modified = Self.nanoseconds(file.seconds, file.nanoseconds)
        identity = FileIdentity(inode: file.inode, born: file.born)
    }

    /// A time as one number; the nearest that there is for one that 64 bits don't count, as a server may date a file.
    ///
    /// - Parameters:
    ///   - seconds: Since 1970; negative before.
    ///   - nanoseconds: On top. `0..<1_000_000_000`
    /// - Returns: Nanoseconds since 1970.
    package static func nanoseconds(_ seconds: Int64, _ nanoseconds: Int64) -> Int64 {
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = whole.addingReportingOverflow(nanoseconds)
        return isTooFar || isOver ? (seconds < 0 ? .min : .max) : sum
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
