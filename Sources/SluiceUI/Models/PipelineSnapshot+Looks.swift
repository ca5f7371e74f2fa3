internal import SluiceCore

/// What lists and frames ask of a snapshot.
extension PipelineSnapshot {
    /// The queued row at a position, if it is in the window.
    func queuedRow(at position: Int) -> Row? {
        let index = position - queuedFrom
        return queued.indices.contains(index) ? queued[index] : nil
    }

    /// Receipts of the queued tasks: those of the others are counted row by row; `nil` if not all rows are known.
    var queuedReceipts: Int? {
        guard waiting.count == waitingCount, paused.count == pausedCount else { return nil }
        let others = (active + waiting + paused).reduce(0) { $0 + $1.receipts }
        return max(0, liveReceipts - others)
    }

    /// Whether a screen shows the same for both, since they differ in times alone.
    func looks(like other: PipelineSnapshot) -> Bool {
        var other = other
        (other.time, other.serial) = (time, serial)
        (other.indicator.since, other.indicator.deadline) = (indicator.since, indicator.deadline)
        return self == other
    }
}
