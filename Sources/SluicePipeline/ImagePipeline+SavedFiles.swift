internal import SluiceCore

/// Files of this session that the user deletes.
extension ImagePipeline {
    /// Deletes a file that this session saved, if it is still what was saved; off the loop's thread.
    ///
    /// Before what is decoded, since it takes no time and somebody waits for it.
    func deleteFile(_ path: String) {
        guard let files, let (key, file) = knownFiles.key(ofPath: path) else {
            warn(.fileKept, "\(path) was not saved by this session, or is deleted already", task: nil)
            return
        }
        let remove = files.remover(of: file)
        removals += 1
        pool.add(.high) { [self] in
            let error = remove()
            post(.deleted(key, file, error))
        } dropped: { [self] in
            let error = DownloadError(.cancelled, "\(file.path) stays: the session ended before it was deleted")
            post(.deleted(key, file, error))
        }
    }

    func deleted(_ key: MergeKey, _ file: SavedFile, _ error: DownloadError?) {
        removals -= 1
        snapshots.mustPublish = true
        if let error { return warn(.fileKept, error.message, task: nil) }
        knownFiles.remove(file, key)
        warn(.fileDeleted, file.path, task: nil)
    }
}
