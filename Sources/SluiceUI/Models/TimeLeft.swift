internal import SluiceCore

/// When what runs and is queued will be done; a queue that is suspended does not begin.
///
/// Never before the row that takes longest: all bytes at the rate of all come sooner than those of the slowest.
struct TimeLeft: Equatable {
    /// Rounded up.
    let seconds: Int
    /// Whether the size of some of it is not known.
    let isGuess: Bool

    /// Fails without any hint, while nothing comes, and if it is more than a person waits for.
    ///
    /// - Parameters:
    ///   - snapshot: What runs and is queued.
    ///   - size: What a body of unknown size is taken to have, in bytes.
    init?(of snapshot: PipelineSnapshot, orSize size: Double?) {
        guard snapshot.isArriving else { return nil }
        let queued = snapshot.settings.suspended ? 0 : snapshot.queuedCount
        isGuess = queued > 0 || snapshot.active.contains { $0.expected == nil }
        if isGuess, size == nil { return nil }
        var left = Double(queued) * (size ?? 0)
        for row in snapshot.active {
            left += max(0, (row.expected.map(Double.init) ?? size ?? 0) - Double(row.received))
        }
        // Of what is larger already than it was taken to be, nobody knows what is left.
        if isGuess, left == 0 { return nil }
        let slowest = snapshot.active.compactMap(\.secondsLeft).max() ?? 0
        let seconds = max(left / Double(snapshot.rate), slowest)
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
