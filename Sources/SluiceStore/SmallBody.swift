import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// A body that may be whole before its turn of the loop ends: then the writer's thread makes its file, without a part file
/// that anybody could see.
///
/// What is not whole by then goes to a part file like any other body, so that nobody has to know of it.
struct SmallBody: Sendable {
    /// Bytes up to which a body is held for that.
    static let limit = FileRequest.smallSize

    let folder: Folder
    let request: FileRequest
    /// The time that its file gets; `nil` leaves the time of writing.
    var modified: timespec?

    /// Whether a body may be held: its length is known, and where its file goes depends on no file that is there.
    static func isWanted(_ request: FileRequest) -> Bool {
        guard let expected = request.expected, expected <= limit else { return false }
        return request.onExists == .rename && request.replaces.isEmpty
    }

    /// Makes the file, under the first name that is free; for the writer's thread.
    ///
    /// - Parameters:
    ///   - bytes: The whole body.
    ///   - reserved: Where the file goes too, if it has no name before.
    ///   - taken: See ``PartFile/first(_:for:from:_:unlock:)`` and ``PartFile/rename(as:_:)``.
    /// - Returns: The file as it is now.
    /// - Throws: `ioError`, `diskFull`; nothing is left then.
    func save(
        _ bytes: Span<UInt8>,
        _ reserved: ReservedBody?,
        _ taken: inout TakenNames
    ) throws(DownloadError) -> SavedFile {
        if let saved = saveUnseen(bytes, reserved, &taken) { return saved }
        guard let file = try PartFile.first(folder, for: request, from: 0, &taken) else {
            throw FileCandidates.exhausted(folder.path(of: request.name))
        }
        defer { close(file.descriptor) }
        do throws(DownloadError) {
            let error = BlockWriter.write(bytes, file.descriptor, at: 0)
            if error != 0 { throw FileError.error(error, "write", folder.path(of: file.partName)) }
            file.setModified(modified)
            return try file.rename(as: .final, &taken)
        } catch {
            unsafe unlinkat(folder.descriptor, file.partName, 0)
            throw error
        }
    }

    /// Makes a file without a name, which nobody else sees, and which goes with the process, until it is whole.
    ///
    /// Source: `O_TMPFILE` of open(2).
    ///
    /// - Returns: `nil` where there is no such file to be had, a part is in the way, or there is something that a part
    ///   file finds out and says; nothing is left then.
    private func saveUnseen(_ bytes: Span<UInt8>, _ reserved: ReservedBody?, _ taken: inout TakenNames) -> SavedFile? {
        let file = sluice_open_unnamed(folder.descriptor)
        guard file >= 0 else { return nil }
        // Before anybody hears of it, who may want to run what was saved.
        defer { close(file) }
        guard BlockWriter.write(bytes, file, at: 0) == 0 else { return nil }
        if let modified { PartFile.setModified(modified, of: file) }
        guard let status = FileStatus(file), let name = takeName(for: file, &taken) else { return nil }
        reserved?.name(file)
        return status.saved(folder.path(of: name))
    }

    /// Tries the names in their order, as ``PartFile/rename(as:_:)`` does.
    ///
    /// - Returns: The one that the file has now; `nil` if a part has one that would be next, whoever is at it, or the file
    ///   system gives none.
    private func takeName(for unnamed: Int32, _ taken: inout TakenNames) -> String? {
        let names = FileCandidates(request.name)
        var index = 0
        while index < FileCandidates.limit, folder.status(of: PartFile.partName(names, index)) == nil {
            let name = names[index]
            if unsafe sluice_name(unnamed, folder.descriptor, name) == 0 {
                if index > 0 { taken.note(index, from: 0, of: folder.path(of: request.name)) }
                return name
            }
            guard errno == EEXIST else { return nil }
            index += 1
            guard index == 1 else { continue }
            index = taken.next(after: 0, of: folder.path(of: request.name)) { folder.status(of: names[$0]) != nil }
        }
        return nil
    }
}

/// A small body that collects.
///
/// A class because it changes in place at every chunk.
final class HeldBody {
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var body: SmallBody
    #if !DEBUG
    @safe @exclusivity(unchecked)
    #endif
    var bytes: [UInt8]

    init(_ body: SmallBody, _ bytes: [UInt8]) { (self.body, self.bytes) = (body, bytes) }
}
