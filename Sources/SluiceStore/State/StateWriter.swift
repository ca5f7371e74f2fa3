import SluiceCore

/// Writes lots of changes in their order, and keeps those that can't be written yet.
///
/// A full disk and a file that another program locks are no reason to forget what happens afterwards:
/// each new lot tries again, and so does the end. Confined to the store's thread.
struct StateWriter {
    /// Changes that wait for a file that can't be written; with more of them it is given up.
    static let mostUnsaved = 200_000
    /// How long another program is waited for that locked the file before; every news of the queue waits with it.
    static let patience = Duration.milliseconds(50)

    private let file: StateFile
    /// Lots that could not be written, oldest first; all or nothing of each.
    private var unsaved: [[StateChange]] = []
    private var unsavedCount = 0
    /// What nothing can be written after any more.
    private var lasting: StateProblem?

    init(_ file: StateFile) { self.file = file }

    /// Writes lots behind those that wait, as one transaction.
    ///
    /// - Returns: Why something is not kept; it waits, unless the problem is a lasting one.
    mutating func write(_ lots: [[StateChange]]) -> StateProblem? {
        if let lasting { return lasting }
        do throws(DatabaseError) {
            if let first = unsaved.first {
                // Only one is tried: while nothing can be written, each attempt costs as much as a lot and no more.
                try file.write(first)
                unsavedCount -= first.count
                unsaved.removeFirst()
                file.isPatient = true
            }
            try file.write([unsaved, lots].joined().joined())
            (unsaved, unsavedCount) = ([], 0)
            return nil
        } catch {
            guard error.mayPass else { return give(up: error.message) }
            file.isPatient = false
            for lot in lots where !lot.isEmpty {
                unsaved.append(lot)
                unsavedCount += lot.count
            }
            guard unsavedCount <= Self.mostUnsaved else { return give(up: error.message) }
            return StateProblem(message: error.message, mayPass: true)
        }
    }

    /// Tries to write what waits; there is no later time.
    mutating func end() {
        if !unsaved.isEmpty { _ = write([]) }
    }

    private mutating func give(up message: String) -> StateProblem {
        let problem = StateProblem(message: message)
        (lasting, unsaved, unsavedCount) = (problem, [], 0)
        return problem
    }
}
