import Glibc
import SluiceCore
import SluiceSystem

/// Where parts of earlier sessions are, and what became of them.
extension PartFile {
    /// Where a part is.
    static func path(of part: PartLocation) -> String {
        let folder = part.folder.map { "/\($0)" } ?? ""
        return "\(part.directory)\(folder)/\(partName(FileCandidates(part.name), part.index))"
    }

    /// The file that a whole part became, if it got one of its next names and is still as it was.
    static func published(_ record: PartRecord) -> SavedFile? {
        let part = record.location
        let folder = part.directory + (part.folder.map { "/\($0)" } ?? "")
        let candidates = FileCandidates(part.name)
        // It may have replaced a known file that stands before the first name that was free for the part.
        for index in max(0, part.index - 100)..<part.index + 100 {
            let path = "\(folder)/\(candidates[index])"
            let descriptor = unsafe Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
            if descriptor < 0 {
                // Names are taken in their order: behind a free one is nothing of ours.
                if index >= part.index { return nil }
                continue
            }
            defer { close(descriptor) }
            guard let status = FileStatus(descriptor), status.size == record.total,
                status.identity == FileIdentity(inode: part.inode, born: part.born)
            else { continue }
            return status.saved(path)
        }
        return nil
    }
}
