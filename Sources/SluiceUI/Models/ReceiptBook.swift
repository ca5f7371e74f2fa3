internal import SluiceCore

/// Which receipts a live task has, newest first, learnt from events.
///
/// Snapshots carry only their number. Small per task, since hundreds of thousands
/// may wait; the common task has one receipt and one entry.
struct ReceiptBook: Sendable {
    private var newest: [TaskID: ReceiptID] = [:]
    private var before: [ReceiptID: ReceiptID] = [:]

    mutating func add(_ receipt: ReceiptID, to task: TaskID) {
        if let previous = newest[task] { before[receipt] = previous }
        newest[task] = receipt
    }

    mutating func remove(_ receipt: ReceiptID, from task: TaskID) {
        guard let first = newest[task] else { return }
        if first == receipt {
            newest[task] = before.removeValue(forKey: receipt)
            return
        }
        var later = first
        while let current = before[later] {
            if current == receipt {
                before[later] = before.removeValue(forKey: receipt)
                return
            }
            later = current
        }
    }

    mutating func remove(_ task: TaskID) {
        var next = newest.removeValue(forKey: task)
        while let receipt = next { next = before.removeValue(forKey: receipt) }
    }

    /// At most `limit`, newest first.
    func receipts(of task: TaskID, limit: Int) -> [ReceiptID] {
        var result: [ReceiptID] = []
        var next = newest[task]
        while let receipt = next, result.count < limit {
            result.append(receipt)
            next = before[receipt]
        }
        return result
    }
}
