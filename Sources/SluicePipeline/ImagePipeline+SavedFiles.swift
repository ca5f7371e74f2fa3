internal import SluiceCore

/// Files of this session that the user deletes.
extension ImagePipeline {
    /// Deletes a file that this session saved, if it is still what was saved; off the loop's thread.
    func deleteFile(_ path: String) {
        guard let files, let (key, file) = knownFiles.key(ofPath: path) else {
            warn(.fileKept, "\(path) was not saved by this session, or is deleted already", task: nil)
            return
        }
        let remove = files.remover(of: file)
        pool.add(.normal) { [self] in
            let error = remove()
            post(.deleted(key, file, error))
        }
    }

    func deleted(_ key: MergeKey, _ file: SavedFile, _ error: DownloadError?) {
        snapshots.mustPublish = true
        if let error { return warn(.fileKept, error.message, task: nil) }
        knownFiles.remove(file, key)
        warn(.fileDeleted, file.path, task: nil)
    }
}
