internal import SluiceCore

/// Where bodies go whose requests name a place of their own.
extension ImagePipeline {
    /// The absolute path that a destination stands for.
    func path(of destination: String) -> String {
        let (directory, folder, name) = DestinationPath.split(destination)
        if let directory { return directory == "/" ? "/\(name)" : "\(directory)/\(name)" }
        let parts = [configuration.directory, folder, name].compactMap(\.self)
        return parts.joined(separator: "/")
    }

    /// Copies a body for the receipts whose destination is not the one it was saved to.
    ///
    /// Receipts with one destination share a file; where a copy fails, the first file is theirs, and a warning says so.
    ///
    /// - Parameters:
    ///   - published: The complete file.
    ///   - name: The destination that it was saved for.
    ///   - task: The task that is about to be delivered.
    func copy(_ published: SavedFile, named name: String?, for task: TaskID) {
        guard let files, let first = scheduler.firstReceipt(of: task) else { return }
        // Nearly always there is one receipt, whose wish was granted already.
        if first.options.destination == name, scheduler.task(task)?.receiptCount == 1 { return }
        var made: [String: String] = [:]
        for receipt in scheduler.receipts(of: task) {
            guard receipt.options.saves, let wish = receipt.options.destination, wish != name else { continue }
            if let path = made[wish] {
                ownFiles[receipt.id] = path
                continue
            }
            guard path(of: wish) != published.path else { continue }
            do throws(DownloadError) {
                let request = FileRequest(path: wish, onExists: settings.onExists)
                let path = try files.copy(published, to: request).path
                made[wish] = path
                ownFiles[receipt.id] = path
                counts.saved += 1
                counts.savedBytes += published.size
            } catch {
                warn("copy", "no copy for \(wish): \(error.message)", task: task)
            }
        }
    }
}
