internal import SluiceCore

/// Whom the pipeline trusts, and trusted: a task keeps to what held when it was submitted.
///
/// What a task is merged and cached under says by whom its answer was judged, so a change
/// must not reach the tasks that exist.
struct PipelineTrust {
    /// For requests to come.
    private(set) var book: TrustBook
    /// What held for the tasks up to a number, oldest first.
    private var earlier: [(last: TaskID, book: TrustBook)] = []
    /// Hosts whose certificates end soon, and of which that was said.
    private var warned: Set<String> = []

    init(_ book: TrustBook) { self.book = book }

    /// Changes what holds for the tasks to come.
    ///
    /// - Parameters:
    ///   - book: From now on.
    ///   - last: The newest task.
    mutating func change(to book: TrustBook, last: TaskID) {
        earlier.append((last, self.book))
        self.book = book
    }

    func book(of task: TaskID) -> TrustBook {
        earlier.first { task.rawValue <= $0.last.rawValue }?.book ?? book
    }

    /// Forgets what only tasks before `oldest` were judged by; `nil` if no task lives.
    mutating func forget(before oldest: TaskID?) {
        earlier.removeAll { entry in oldest.map { entry.last.rawValue < $0.rawValue } ?? true }
    }

    /// Whether a warning about a host's certificate is due, which is so once.
    mutating func mayWarn(of host: String) -> Bool { warned.insert(host).inserted }
}
