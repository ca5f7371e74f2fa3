/// A path that a request names for its file: relative to the destination directory, or absolute.
///
/// A relative one never leads out of the directory; an absolute one is the user's wish,
/// and its folder is then the directory that nothing leaves.
public enum DestinationPath {
    /// The absolute folder, where there is one; the folders below the directory; and the name.
    public static func split(_ path: String) -> (directory: String?, folder: String?, name: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        let above = slash.map { path[..<$0] } ?? ""
        if path.utf8.first == UInt8(ascii: "/") { return (above.isEmpty ? "/" : String(above), nil, name) }
        let folders = parts(of: above).filter { !$0.isEmpty && $0 != "." }.joined(separator: "/")
        return (nil, folders.isEmpty ? nil : folders, name)
    }

    /// What the system takes for the parts of a path: a mark that combines with a slash makes it no letter to it.
    public static func parts(of path: Substring) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// What is wrong with a path, as the end of a sentence; `nil` if a file can have it.
    public static func problem(with path: String) -> String? {
        let parts = parts(of: path[...])
        guard let name = parts.last, !name.isEmpty, name != "." else { return "ends in the name of a file" }
        if parts.contains("..") { return "has no .. in it: it stays under the destination directory, or is absolute" }
        if path.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }) {
            return "has no control characters"
        }
        if path.utf8.count > 4_000 || parts.contains(where: { $0.utf8.count > 240 }) {
            return "has at most 240 bytes in each part"
        }
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() ?? ""
        if name.contains("."), ["part", "bad"].contains(ending) {
            return "does not end in .\(ending), which is for unfinished and broken files"
        }
        return nil
    }
}
