import CLinux
import Glibc
import SluiceCore
import SluiceSystem

/// A body that may be whole before its turn of the loop ends: then its file gets all bytes, and off the loop its name,
/// without a part file that anybody could see.
///
/// What is not whole by then goes to a part file like any other body, so that nobody has to know of it.
struct SmallBody: Sendable {
    /// Bytes up to which a body is held for that.
    static let limit = 65_536

    let folder: Folder
    let request: FileRequest
    /// The time that its file gets; `nil` leaves the time of writing.
    var modified: timespec?

    /// Whether a body may be held: its length is known, and where its file goes depends on no file that is there.
    static func isWanted(_ request: FileRequest) -> Bool {
        guard let expected = request.expected, expected <= limit else { return false }
        return request.onExists == .rename && request.replaces.isEmpty
    }

    /// Gives a file that has all bytes and no name the first name that is free.
    ///
    /// - Parameters:
    ///   - unnamed: The file, which stays open.
    ///   - reserved: Where it goes too.
    ///   - taken: As for ``save(_:_:)``.
    /// - Returns: The file as it is now.
    /// - Throws: `ioError`, `diskFull`; nothing is left then.
    func name(
        _ unnamed: Int32,
        _ reserved: ReservedBody?,
        _ taken: inout TakenNames
    ) throws(DownloadError) -> SavedFile {
        if let modified { PartFile.setModified(modified, of: unnamed) }
        guard let status = FileStatus(unnamed) else {
            throw FileError.error(errno, "read", folder.path(of: request.name))
        }
        if let name = takeName(for: unnamed, &taken) {
            reserved?.name(unnamed)
            return status.saved(folder.path(of: name))
        }
        // A part is in the way, or there is something that a part file finds out and says.
        let bytes = FileBytes.read(unnamed, status.size, at: 0)
        guard bytes.count == status.size else {
            throw FileError.error(EIO, "read", folder.path(of: request.name))
        }
        // The disk may have no room for both.
        _ = ftruncate(unnamed, 0)
        return try save(bytes.span, &taken)
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

    /// Makes the file, under the first name that is free.
    ///
    /// - Parameters:
    ///   - bytes: The whole body.
    ///   - taken: See ``PartFile/first(_:for:from:_:settle:)`` and ``PartFile/rename(as:_:)``.
    /// - Returns: The file as it is now.
    /// - Throws: `ioError`, `diskFull`; nothing is left then.
    func save(_ bytes: Span<UInt8>, _ taken: inout TakenNames) throws(DownloadError) -> SavedFile {
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
