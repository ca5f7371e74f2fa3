import Glibc
internal import SluiceSystem

/// Folders of files, as tests and benchmarks look at them and remove them.
public enum FileTree {
    /// The names in a folder, sorted; none if there is no such folder.
    public static func names(in path: String) -> [String] { FolderListing.names(in: path).sorted() }

    /// The paths of all below a path that holds nothing itself: files, and empty folders.
    public static func leaves(below path: String) -> [String] {
        let names = names(in: path)
        return names.isEmpty ? [path] : names.flatMap { leaves(below: path + "/" + $0) }
    }

    /// Removes a file, or a folder with all it holds; follows no symbolic links.
    public static func remove(_ path: String) {
        if unsafe unlink(path) == 0 { return }
        for name in names(in: path) { remove(path + "/" + name) }
        unsafe rmdir(path)
    }

    /// How many files below a folder this process has open, whether they have names or not.
    public static func openCount(below folder: String) -> Int {
        names(in: "/proc/self/fd").count { name in
            var target = [CChar](repeating: 0, count: 4096)
            let count = unsafe readlink("/proc/self/fd/\(name)", &target, target.count)
            let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self).hasPrefix(folder + "/")
        }
    }

    /// What tells a file from another one that takes its name; `nil` if there is none.
    public static func inode(of path: String) -> UInt64? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// How many bytes a file has; 0 if there is none.
    public static func size(of path: String) -> Int {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Replaces the contents of a file, which stays the same one if it is there.
    ///
    /// - Returns: Whether that worked.
    public static func write(_ text: String, to path: String) -> Bool { write(Array(text.utf8), to: path) }

    /// As ``write(_:to:)-(String,_)``, of bytes.
    public static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let file = unsafe fopen(path, "w")
        guard let file = unsafe file else { return false }
        let isWritten = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count
        return unsafe fclose(file) == 0 && isWritten
    }

    /// - Returns: The bytes of a file, or `nil` if it can't be read.
    public static func contents(of path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
