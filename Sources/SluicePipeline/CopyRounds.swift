internal import SluiceCore

/// What is being copied for the receipts of live tasks, or was until their slot was taken from them.
///
/// The last round of a task stays until the task ends, since what it made is still good for the same body.
struct CopyRounds {
    private var rounds: [TaskID: DestinationCopies] = [:]
    private var lastSerial = 0

    /// The last round of a task.
    subscript(task: TaskID) -> DestinationCopies? {
        get { rounds[task] }
        set { rounds[task] = newValue }
    }

    /// Takes out the round of a task, unless another one took its place since, so that a change of it copies nothing.
    mutating func take(_ task: TaskID, serial: Int) -> DestinationCopies? {
        rounds[task]?.serial == serial ? rounds.removeValue(forKey: task) : nil
    }

    /// - Returns: What tells the next round from all before it.
    mutating func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    /// The files of the receipts of a task, where they are not the task's.
    func granted(of task: TaskID) -> [ReceiptID: String] { rounds[task]?.granted ?? [:] }

    /// A task is over, or its copies are given up.
    mutating func remove(_ task: TaskID) {
        // Asked for every task that ends, and looking there costs a hash.
        if !rounds.isEmpty { rounds[task] = nil }
    }
}
