internal import Glibc

/// The names in a folder, for completion at the prompt.
enum FolderNames {
    /// More than that nobody completes among.
    private static let limit = 10_000

    /// - Parameter path: Ends with `/`, or is empty for the current folder.
    /// - Returns: In no order, those of folders with `/` behind; none if the folder can't be read.
    static func read(_ path: String) -> [String] {
        guard let stream = unsafe opendir(path.isEmpty ? "." : path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            names.append(isFolder(path + name) ? name + "/" : name)
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
