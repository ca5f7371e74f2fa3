internal import SluiceCore

/// What time it is on the screen, and when something there changes by itself.
extension AppState {
    /// The time of the session that is shown: the present, or where a recording stands.
    func sessionTime(at now: Timestamp) -> Timestamp { replay.map { configuration.start.time + $0.position } ?? now }

    /// When the next shown countdown changes, or `nil`.
    func nextCountdown(after now: Timestamp) -> Timestamp? {
        let layout = layout
        var ends: [Timestamp] = []
        // Where no task has a row, only counts are shown, and those do not tick.
        if [.active, .detail, .preview].contains(where: { layout.panels[$0] != nil }) || layout.form == .small {
            ends = snapshot.waiting.compactMap { row in
                if case .waiting(let until, _) = row.state { until } else { nil }
            }
        }
        if layout.panels[.failed] != nil { ends += snapshot.failed.map(\.until) }
        let steps = ends.compactMap { until -> Timestamp? in
            guard until > now else { return nil }
            return until + .seconds(-(((until - now).nanoseconds - 1) / 1_000_000_000))
        }
        return (steps + [nextIndicatorStep(after: now), nextSilentSecond(after: now)].compactMap(\.self)).min()
    }

    /// When the next second begins while nothing comes; all rows share it, so that one frame a second is enough.
    private func nextSilentSecond(after now: Timestamp) -> Timestamp? {
        guard layout.form != .line, snapshot.isSilent else { return nil }
        let second: Int64 = 1_000_000_000
        return configuration.start.time + .seconds((now - configuration.start.time).nanoseconds / second + 1)
    }

    /// When the tenth of a second changes that is left of the indicator's delay, or `nil` while none is shown.
    private func nextIndicatorStep(after now: Timestamp) -> Timestamp? {
        guard layout.form != .line, snapshot.settings.indicatorEnabled, let deadline = snapshot.indicator.deadline
        else { return nil }
        // Shown is what is left, rounded to tenths: it changes between them.
        let tenth: Int64 = 100_000_000
        let left = (deadline - now).nanoseconds
        let shown = (left + tenth / 2) / tenth
        guard left > 0, shown > 0 else { return nil }
        return deadline + .nanoseconds(tenth / 2 - shown * tenth + 1)
    }

    /// When something on the screen changes by itself, or `nil`.
    var nextTimer: Timestamp? {
        // What a recording shows changes with its own time, which its player looks after.
        if replay != nil { return message?.until }
        return [
            message?.until, quitArmedUntil, news.flashUntil, news.lingering.first?.until, countdownDue,
            pictures.nextTimer, held.until,
        ]
        .compactMap { $0 }.min()
    }
}
