internal import SluiceCore

/// Where the file of a running task goes.
extension AppState {
    /// The path that is reserved, else the one that is wished for, with the home folder as the user writes it.
    ///
    /// Not sanitised; `nil` where nothing is saved.
    func destination(of row: PipelineSnapshot.Row?, name: String) -> String? {
        guard let shown = configuration.directory ?? snapshot.directory else { return nil }
        guard let file = row?.file else {
            let wanted = row?.destination ?? row?.name ?? name
            return wanted.hasPrefix("/") ? wanted : "\(shown)/\(wanted)"
        }
        guard let directory = snapshot.directory, file.hasPrefix(directory + "/") else { return file }
        return shown + file.dropFirst(directory.count)
    }
}
