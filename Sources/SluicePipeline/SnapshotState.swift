internal import SluiceCore

/// When the last snapshot was taken, and whether another is needed.
///
/// Something happened, or rates fade: those that the last snapshot shows are wrong soon if no byte
/// follows, and nothing else would say so. Where none is shown, silence needs no snapshot. Pure.
struct SnapshotState {
    /// Between two snapshots of which only the rates differ.
    static let fadingInterval = Duration.seconds(1)
    /// The same where only bytes came: no figure is read more often, and each snapshot wakes the screen.
    static let progressInterval = Duration.milliseconds(125)

    /// Something changed besides bytes.
    var isDirty = true
    /// Bytes came.
    var hasProgressed = false
    /// Something changed that a person waits for: a key's effect, a purge, the indicator.
    var mustPublish = true
    var serial = 0
    private(set) var publishedAt: Timestamp?
    /// Whether the last one shows a rate that falls by itself.
    private var showsRate = false

    /// When another one is due, or `nil` while nothing changes.
    func deadline(interval: Duration) -> Timestamp? {
        guard let publishedAt, isDirty || hasProgressed || showsRate else { return nil }
        if isDirty { return publishedAt + interval }
        return publishedAt + max(interval, hasProgressed ? Self.progressInterval : Self.fadingInterval)
    }

    /// Whether one is to be taken now.
    func isDue(now: Timestamp, interval: Duration) -> Bool {
        if mustPublish { return true }
        return publishedAt == nil ? isDirty : deadline(interval: interval).map { $0 <= now } ?? false
    }

    mutating func published(showingRate showsRate: Bool, now: Timestamp) {
        (isDirty, hasProgressed, mustPublish) = (false, false, false)
        (publishedAt, self.showsRate) = (now, showsRate)
    }
}

extension PipelineSnapshot {
    /// Whether it tells of a speed, which falls if nothing more happens.
    var showsRate: Bool { rate > 0 || active.contains { $0.rate > 0 } }
}
