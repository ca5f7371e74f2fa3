internal import SluiceCore

/// Where the file of a running task goes.
extension AppState {
    /// The path that is reserved, else the one that is wished for, with the home folder as the user writes it.
    ///
    /// Not sanitised; `nil` where nothing is saved, as of a task that runs on for the caches when its last receipt is gone.
    func destination(of row: PipelineSnapshot.Row?, name: String) -> String? {
        if let row, row.isDetached { return nil }
        guard let shown = configuration.directory ?? snapshot.directory else { return nil }
        guard let file = row?.file else {
            let wanted = row?.destination ?? row?.name ?? name
            return wanted.hasPrefix("/") ? wanted : "\(shown)/\(wanted)"
        }
        guard let directory = snapshot.directory, file.hasPrefix(directory + "/") else { return file }
        return shown + file.dropFirst(directory.count)
    }
}

extension PipelineSnapshot.Row {
    /// Whether it runs for nobody but the caches.
    var isDetached: Bool { state == .active && receipts == 0 }
}
