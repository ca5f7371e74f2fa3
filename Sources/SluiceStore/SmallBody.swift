import Glibc
import SluiceCore

/// A body that may be whole before its turn of the loop ends: then it gets its file and its name in one go, off the
/// loop.
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
