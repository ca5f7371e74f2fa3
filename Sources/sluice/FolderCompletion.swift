internal import Glibc
internal import SluiceSystem

/// The names in a folder, for completion at the prompt.
enum FolderCompletion {
    /// More than that nobody completes among.
    private static let limit = 10_000

    /// - Parameter path: Ends with `/`, or is empty for the current folder.
    /// - Returns: In no order, those of folders with `/` behind; none if the folder can't be read.
    static func names(in path: String) -> [String] {
        FolderListing.names(in: path.isEmpty ? "." : path, atMost: limit).map { name in
            isFolder(path + name) ? name + "/" : name
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
