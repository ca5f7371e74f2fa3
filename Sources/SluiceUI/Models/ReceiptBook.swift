internal import SluiceCore

/// Which receipts a live task has, newest first, learnt from events.
///
/// Snapshots carry only their number. Small per task, since hundreds of thousands
/// may wait; the common task has one receipt and one entry.
struct ReceiptBook: Sendable {
    private var newest: [TaskID: ReceiptID] = [:]
    /// The next older and the next newer of the same task: receipts end in the order in which they were
    /// submitted, and a task may have ten thousand.
    private var older: [ReceiptID: ReceiptID] = [:]
    private var newer: [ReceiptID: ReceiptID] = [:]

    mutating func add(_ receipt: ReceiptID, to task: TaskID) {
        if let previous = newest.updateValue(receipt, forKey: task) { link(previous, receipt) }
    }

    /// Takes constant time, whichever it is.
    mutating func remove(_ receipt: ReceiptID, from task: TaskID) {
        let before = older.removeValue(forKey: receipt)
        if let after = newer.removeValue(forKey: receipt) {
            link(before, after)
        } else if newest[task] == receipt {
            newest[task] = before
            if let before { newer[before] = nil }
        }
    }

    private mutating func link(_ before: ReceiptID?, _ after: ReceiptID) {
        older[after] = before
        if let before { newer[before] = after }
    }

    mutating func remove(_ task: TaskID) {
        var next = newest.removeValue(forKey: task)
        while let receipt = next {
            newer[receipt] = nil
            next = older.removeValue(forKey: receipt)
        }
    }

    /// Forgets the receipts of a task unless as many are known as live: of others, some are over or not known.
    ///
    /// - Parameter counts: How many receipts of each task live; of tasks that are not in it nothing is kept.
    mutating func keep(only counts: [TaskID: Int]) {
        var kept = ReceiptBook()
        for (task, count) in counts {
            let known = receipts(of: task, limit: count + 1)
            guard known.count == count else { continue }
            for receipt in known.reversed() { kept.add(receipt, to: task) }
        }
        self = kept
    }

    /// At most `limit`, newest first.
    func receipts(of task: TaskID, limit: Int) -> [ReceiptID] {
        var result: [ReceiptID] = []
        var next = newest[task]
        while let receipt = next, result.count < limit {
            result.append(receipt)
            next = older[receipt]
        }
        return result
    }
}
