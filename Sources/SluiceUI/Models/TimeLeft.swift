internal import SluiceCore

/// When what runs and is queued will be done; a queue that is suspended does not begin.
///
/// Never before the row that takes longest: all bytes at the rate of all come sooner than those of the slowest.
/// Nor before the slots have been held as long as they usually are: one large file that is fast makes the rate of
/// all, and says nothing of many small ones that are not.
struct TimeLeft: Equatable {
    /// Rounded up.
    let seconds: Int
    /// Whether the size or the rate of some of it is not known.
    let isGuess: Bool

    /// Fails without any hint, while nothing comes, and if it is more than a person waits for.
    ///
    /// Also as long as nobody has seen yet how fast most of it comes.
    ///
    /// - Parameters:
    ///   - snapshot: What runs and is queued.
    ///   - size: What a body of unknown size is taken to have, in bytes.
    ///   - time: How long a queued task will hold its slot, in seconds; `nil` if nobody knows.
    init?(of snapshot: PipelineSnapshot, orSize size: Double?, eachFor time: Double? = nil) {
        guard snapshot.isArriving, snapshot.isRateMeasured else { return nil }
        let queued = snapshot.settings.suspended ? 0 : snapshot.queuedCount
        let hasUnknown = queued > 0 || snapshot.active.contains { $0.expected == nil }
        isGuess = hasUnknown || snapshot.active.contains { !$0.isRateSteady }
        if hasUnknown, size == nil { return nil }
        var left = Double(queued) * (size ?? 0)
        var unseen = 0.0
        for row in snapshot.active {
            let rest = max(0, (row.expected.map(Double.init) ?? size ?? 0) - Double(row.received))
            left += rest
            if row.expected != nil, !row.isRateMeasured { unseen += rest }
        }
        // Of what is larger already than it was taken to be, nobody knows what is left.
        if hasUnknown, left == 0 { return nil }
        if unseen > left / 2 { return nil }
        let rows = snapshot.active.compactMap(\.guessedSecondsLeft)
        var seconds = max(left / Double(snapshot.rate), rows.max() ?? 0)
        if queued > 0, let time {
            let held = rows.reduce(0, +) + Double(queued) * time
            seconds = max(seconds, time, held / Double(max(1, snapshot.settings.maxActive)))
        }
        guard seconds.isFinite, seconds < 360_000 else { return nil }
        self.seconds = Int(seconds.rounded(.up))
    }

    /// `0:41`, `~0:41` for a guess, `~2 h 10 m`: of hours nobody knows the seconds.
    var text: String {
        guard seconds >= 3_600 else { return (isGuess ? "~" : "") + Format.time(.seconds(seconds)) }
        let tens = (seconds + 300) / 600
        return "~\(tens / 6) h" + (tens % 6 > 0 ? " \(tens % 6)0 m" : "")
    }
}
