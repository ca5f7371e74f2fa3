import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// Finding the files that earlier complete bodies of the same URL became.
extension Folder {
    /// Which candidate of a request's name an earlier body has, if it is here and intact; the first of several, and one of
    /// others only where the request has none itself.
    ///
    /// Who overwrites wants the name itself, whatever stands there, and no later one.
    func knownIndex(for request: FileRequest) -> Int? {
        if request.replaces.isEmpty { return nil }
        let candidates = FileCandidates(request.name)
        let index =
            firstIndex(of: request.replaces.own, candidates) ?? firstIndex(of: request.replaces.inherited, candidates)
        return request.onExists == .overwrite && index != 0 ? nil : index
    }

    private func firstIndex(of files: [SavedFile], _ candidates: FileCandidates) -> Int? {
        files.lazy.compactMap { known -> Int? in
            if self.isPath(known.path, of: candidates[0]) { return self.holds(known, as: candidates[0]) ? 0 : nil }
            guard let slash = known.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            let name = String(known.path[known.path.index(after: slash)...])
            guard let index = candidates.index(of: name), self.holds(known, as: name) else { return nil }
            return index
        }.min()
    }

    /// Whether a name stands for a file that is as it was saved here.
    func holds(_ file: SavedFile, as name: String) -> Bool {
        isPath(file.path, of: name) && status(of: name)?.isSame(as: file) == true
    }

    /// Whether a path is that of a name in this folder: asked for each file that was saved before, so no path is made for it.
    private func isPath(_ other: String, of name: String) -> Bool {
        let (other, folder, name) = (other.utf8.span, path.utf8.span, name.utf8.span)
        let start = folder.count == 1 ? 0 : folder.count
        guard other.count == start + 1 + name.count, other[start] == UInt8(ascii: "/") else { return false }
        for index in 0..<start where other[index] != folder[index] { return false }
        for index in name.indices where other[start + 1 + index] != name[index] { return false }
        return true
    }

    /// The file of a name, if it has just the bytes of an open one.
    ///
    /// - Parameters:
    ///   - name: In this folder; no link is followed.
    ///   - descriptor: Of the other file.
    ///   - isDated: Whether it must have the time of the other, too.
    /// - Returns: `nil` if it has not.
    func file(_ name: String, equalTo descriptor: Int32, isDated: Bool) -> SavedFile? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let other = unsafe openat(self.descriptor, name, flags)
        guard other >= 0 else { return nil }
        defer { close(other) }
        var (mine, theirs) = (stat(), stat())
        guard unsafe fstat(descriptor, &mine) == 0, unsafe fstat(other, &theirs) == 0,
            theirs.st_mode & S_IFMT == S_IFREG, theirs.st_size == mine.st_size,
            !isDated || theirs.modified == mine.modified,
            FileBytes.areEqual(descriptor, other, count: Int(mine.st_size))
        else { return nil }
        return FileStatus(other)?.saved(path(of: name))
    }
}
