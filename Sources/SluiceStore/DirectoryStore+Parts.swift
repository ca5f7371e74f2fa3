import Glibc
public import SluiceCore

/// What is left of a body that did not come whole, and how it goes on.
extension DirectoryStore {
    /// An empty one is removed: there is nothing to continue.
    public func keepPart(_ id: FileID) {
        if small[id]?.bytes.isEmpty ?? (saving[id] != nil) { return discard(id) }
        guard let file = opened(id) else { return forget(id) }
        files[id] = nil
        if !file.block.isEmpty {
            if file.isWithWriter {
                hand(file, id)
            } else {
                // What can't be kept comes again: no cause to fail for.
                _ = BlockWriter.write(file.block.span, file.descriptor, at: file.offset)
            }
        }
        if file.byteCount == 0 { file.remove() }
        release(file, id, stays: file.byteCount > 0)
    }

    /// Writes the block that collects, which is written again when it is full.
    ///
    /// Behind the blocks of the file that still wait: a file that grew at its end first would have a hole, if the process
    /// died then, which nobody could tell from its bytes.
    public func flush(_ id: FileID) {
        guard let file = files[id], !file.block.isEmpty else { return }
        if file.isWithWriter {
            guard writer.isReady else { return }
            var copy = writer.makeBlock()
            copy.append(contentsOf: file.block)
            writer.write(&copy, to: id, file.descriptor, at: file.offset)
            return
        }
        // The block is written once more when it is full: what fails here fails there, and is told there.
        _ = BlockWriter.write(file.block.span, file.descriptor, at: file.offset)
    }

    /// Gives a small body its file, so that there is something to name.
    public func location(of id: FileID) -> PartLocation? {
        guard let file = opened(id), let identity = file.identity else { return nil }
        return PartLocation(
            directory: file.directory ?? path,
            folder: file.relativeFolder,
            name: file.candidates[0],
            index: file.index,
            inode: identity.inode,
            born: identity.born
        )
    }

    /// The first name that was free soon after the part file was made; none for a body in memory.
    public func reservedPath(of id: FileID) -> String? {
        guard let file = files[id] else { return nil }
        let folder = [file.directory ?? path, file.relativeFolder].compactMap(\.self).joined(separator: "/")
        return "\(folder)/\(file.likelyName)"
    }

    /// Only in the same directory, only the very file, and only if nobody else has it locked.
    public func reopen(
        _ part: PartLocation,
        _ wish: ReopenWish,
        onExists: OnExists,
        replaces: ReplaceableFiles
    ) -> ReopenedPart? {
        guard part.directory == wish.directory ?? path else { return nil }
        var request = FileRequest(name: part.name, folder: part.folder, onExists: onExists)
        request.directory = wish.directory
        request.replaces = replaces
        guard let file = reopen(part, request) else { return nil }
        lastID += 1
        let id = FileID(lastID)
        files[id] = file
        // Says that the file has bytes, and so must not go when it is closed.
        file.byteCount = 1
        let kept = min(file.size ?? 0, wish.limit ?? .max)
        // Without bytes to compare, a few are worth it too.
        let isShort = kept < wish.prefix
        let prefix = isShort ? (wish.overlap == 0 ? kept : wish.least) : wish.prefix
        let length = max(min(kept, prefix), kept - wish.overlap)
        let (start, end) = (file.read(prefix, at: 0), file.read(kept - length, at: length))
        guard length >= prefix, length > 0 || wish.prefix == 0, start.count == prefix, end.count == kept - length else {
            keepPart(id)
            return nil
        }
        (file.byteCount, file.wasReopened) = (length, true)
        file.block = writer.makeBlock()
        return ReopenedPart(file: id, length: length, prefix: start, overlap: end)
    }

    private func reopen(_ part: PartLocation, _ request: FileRequest) -> PartFile? {
        let folder: Folder
        do throws(DownloadError) {
            try lookForDestination()
            folder = try destination.folder(of: request)
        } catch {
            return nil
        }
        if isSkipped(request, folder.knownIndex(for: request), in: folder) { return nil }
        if let file = PartFile.reopen(folder, part, for: request) { return file }
        // Perhaps it is only that the writer had not closed it yet: by now it may have, without anything to wait for.
        guard hasWriterStarted else { return nil }
        writer.waitUntilClosed(folder.path(of: PartFile.partName(FileCandidates(part.name), part.index)))
        return PartFile.reopen(folder, part, for: request)
    }
}
