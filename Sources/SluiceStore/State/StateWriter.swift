import SluiceCore

/// Reads the state file once, writes lots of changes in their order, and keeps those that can't be written yet.
///
/// A full disk and a file that another program locks are no reason to forget what happens afterwards, whether they show
/// when it is opened or later: each new lot tries again, and so does the end. Confined to the store's thread.
struct StateWriter {
    /// Changes that wait for a file that can't be written; with more of them it is given up.
    static let mostUnsaved = 200_000
    /// How long another program is waited for that locked the file before; every news of the queue waits with it.
    static let patience = Duration.milliseconds(50)

    private let configuration: StateStore.Configuration
    /// Once it could be opened.
    private var file: StateFile?
    /// Whether it could not be opened when that was tried first.
    private var isLate = false
    /// Lots that could not be written, oldest first; all or nothing of each.
    private var unsaved: [[StateChange]] = []
    private var unsavedCount = 0
    /// What nothing can be written after any more.
    private var lasting: StateProblem?

    init(_ configuration: StateStore.Configuration) { self.configuration = configuration }

    /// Reads what earlier processes left; what can't be read now stays for a later start.
    ///
    /// - Parameter counted: Hears how many requests there are before they are read.
    /// - Returns: What there is, and what is to be done in the file when that was handed over.
    mutating func read(counted: (Int) -> Void) -> (state: RememberedState, chores: StateChores) {
        do throws(DatabaseError) {
            return try readOrPutAside(counted)
        } catch {
            var state = RememberedState()
            if error.mayPass {
                isLate = file == nil
                file?.isPatient = false
                state.problem = StateProblem(message: error.message, mayPass: true)
            } else {
                state.problem = give(up: error.message)
            }
            return (state, StateChores())
        }
    }

    private mutating func readOrPutAside(
        _ counted: (Int) -> Void
    ) throws(DatabaseError) -> (state: RememberedState, chores: StateChores) {
        do throws(DatabaseError) {
            return try opened().read(counted: counted)
        } catch {
            guard case .corrupt = error else { throw error }
        }
        // It is closed before another gets its name, and its session is none any more.
        file?.lock?.remove()
        file = nil
        let healed = try StateFile(configuration, patience: configuration.patience, isSuspect: true)
        file = healed
        return try healed.read(counted: counted)
    }

    /// Does what reading found to be done, if that is possible now: it is not worth a wait.
    func tidy(_ chores: StateChores) {
        guard let file else { return }
        let isPatient = file.isPatient
        file.isPatient = false
        do throws(DatabaseError) {
            try file.tidy(chores)
            file.isPatient = isPatient
        } catch {
            // The next start finds the same again.
            return
        }
    }

    /// Writes lots behind those that wait, as one transaction.
    ///
    /// - Returns: Why something is not kept; it waits, unless the problem is a lasting one.
    mutating func write(_ lots: [[StateChange]]) -> StateProblem? {
        if let lasting { return lasting }
        do throws(DatabaseError) {
            let file = try opened()
            if let first = unsaved.first {
                // Only one is tried: while nothing can be written, each attempt costs as much as a lot and no more.
                try file.write(first)
                unsavedCount -= first.count
                unsaved.removeFirst()
                file.isPatient = true
            }
            try file.write([unsaved, lots].joined().joined())
            (unsaved, unsavedCount) = ([], 0)
            if !file.isPatient { file.isPatient = true }
            return nil
        } catch {
            guard error.mayPass else { return give(up: error.message) }
            isLate = file == nil
            file?.isPatient = false
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
        // A session that keeps its queue is to be found again.
        if !unsaved.isEmpty || (file?.lock != nil && file?.database.hasMoved == true) { _ = write([]) }
        file?.end()
    }

    /// The file, opened if that was not possible before, and made anew where it was deleted meanwhile.
    private mutating func opened() throws(DatabaseError) -> StateFile {
        if let file {
            guard file.database.hasMoved else { return file }
            let next = try StateFile(insteadOf: file)
            self.file = next
            return next
        }
        let opened = try StateFile(configuration, patience: isLate ? Self.patience : configuration.patience)
        if isLate {
            try opened.skipReading()
            opened.isPatient = false
        }
        file = opened
        return opened
    }

    private mutating func give(up message: String) -> StateProblem {
        let problem = StateProblem(message: message)
        (lasting, unsaved, unsavedCount) = (problem, [], 0)
        return problem
    }
}
