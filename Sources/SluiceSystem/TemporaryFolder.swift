import CLinux
import Glibc

/// A folder that goes with its process: of its own name, locked as long as that lives.
///
/// What a killed process left is found by its lock, and removed by ``removeLeftovers(in:startingWith:)`` of the next one.
public struct TemporaryFolder: ~Copyable {
    /// Seconds after which a folder must have its lock, if it ever gets one.
    private static let grace = 60

    /// Absolute.
    public let path: String
    private let lock: Int32

    /// Makes it, for this user alone; fails if it can't be made.
    ///
    /// - Parameters:
    ///   - parent: Where, such as `/tmp`; absolute.
    ///   - start: What its name begins with.
    public init?(in parent: String, startingWith start: String) {
        var template = Array("\(parent)/\(start)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let lock = Self.open(path)
        // Without its lock it would pass for a leftover.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            unsafe rmdir(path)
            return nil
        }
        (self.path, self.lock) = (path, lock)
    }

    deinit { close(lock) }

    /// Removes it with all in it.
    public func remove() { Self.remove(path) }

    /// Removes what killed processes of this user left.
    ///
    /// - Parameters:
    ///   - parent: As it was given when they were made.
    ///   - start: The same.
    public static func removeLeftovers(in parent: String, startingWith start: String) {
        for name in FolderListing.names(in: parent) where isMade(name, startingWith: start) {
            let path = "\(parent)/\(name)"
            let folder = open(path)
            if folder < 0 { continue }
            defer { close(folder) }
            var status = stat()
            guard unsafe fstat(folder, &status) == 0, status.st_uid == getuid(), status.st_mode & 0o777 == 0o700
            else { continue }
            // One that was made just now may not have its lock yet.
            if time(nil) - status.st_mtim.tv_sec > grace, flock(folder, LOCK_EX | LOCK_NB) == 0 { remove(path) }
        }
    }

    /// Whether `mkdtemp` makes such names; all others are somebody's own.
    private static func isMade(_ name: String, startingWith start: String) -> Bool {
        let end = name.utf8.dropFirst(start.utf8.count)
        return name.hasPrefix(start) && end.count == 6 && name.allSatisfy(\.isASCII)
            && end.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
            }
    }

    /// Follows no link, which anybody may put into `/tmp`.
    private static func open(_ path: String) -> Int32 {
        unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    private static func remove(_ folder: String) {
        for name in FolderListing.names(in: folder) {
            let path = folder + "/" + name
            if unsafe unlink(path) != 0, errno == EISDIR { remove(path) }
        }
        unsafe rmdir(folder)
    }
}
