internal import SluiceCore

/// Where the file of a running task goes.
extension AppState {
    /// The path that is reserved, else the one that is wished for, with the home folder as the user writes it.
    ///
    /// Not sanitised; `nil` where nothing is saved, as of a prefetch, and of a task that runs on for the caches when its
    /// last receipt is gone.
    func destination(of row: PipelineSnapshot.Row?, name: String) -> String? {
        if let row, row.isForCaches { return nil }
        guard let shown = configuration.directory ?? snapshot.directory else { return nil }
        guard let file = row?.file else {
            let wanted = row?.destination ?? row?.name ?? name
            return wanted.hasPrefix("/") ? wanted : "\(shown)/\(wanted)"
        }
        guard let directory = snapshot.directory, file.hasPrefix(directory + "/") else { return file }
        return shown + file.dropFirst(directory.count)
    }

    /// What keeps the body of a task that saves nothing, in words.
    ///
    /// `nil` of one that runs in a recording, which has no directory, and names files when they are whole. Of what
    /// ended only a success has one: nothing keeps what failed.
    func keeperWithoutFile(of row: PipelineSnapshot.Row?, hasEnded: Bool = false) -> String? {
        if let row, row.isForCaches { return "the caches only" }
        return replay == nil || hasEnded ? "the memory cache only" : nil
    }
}

extension PipelineSnapshot.Row {
    /// Whether nobody wants a file of it; a part that was begun for somebody who left is told until it goes.
    fileprivate var isForCaches: Bool { isDetached || !savesFile && file == nil }
}
