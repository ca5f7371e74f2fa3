internal import SluiceCore

/// How a running row gets on: what is left of it, or that nothing comes.
extension PipelineSnapshot.Row {
    /// Until it is whole, at the rate that it has; `nil` where that says nothing.
    var secondsLeft: Double? {
        isRateSteady ? guessedSecondsLeft : nil
    }

    /// The same while its rate is no steady one yet, from as soon as there is one at all.
    var guessedSecondsLeft: Double? {
        guard let expected, rate > 0, isRateMeasured else { return nil }
        // Under a limit that binds, bytes come in bursts: what the measurement swings about is the limit.
        let pace = rateLimit > 0 && Double(rate) >= Self.bound * Double(rateLimit) ? rateLimit : rate
        let seconds = Double(max(0, expected - received)) / Double(pace)
        return seconds < 360_000 ? seconds : nil
    }

    /// Of its limit; what is slower than that is slow by itself.
    private static let bound = 0.8

    /// The rate as it is shown: not above its own limit, unless it is for long and by far.
    var shownRate: Int {
        guard rateLimit > 0, rate > rateLimit else { return rate }
        return isRateSteady && rate / 2 >= rateLimit ? rate : rateLimit
    }

    /// Whether a first byte came: before it there is no rate to speak of, which is not one of 0.
    var hasBegun: Bool { received > 0 || rate > 0 }

    /// ``shownRate``, or `–` where there is none yet.
    func pace(_ role: Role = .fg, bold: Bool = false) -> StyledText {
        hasBegun ? .figure(Format.rate(shownRate), role, bold: bold) : .dim("–")
    }

    /// For how long no byte came, once that is too long to be a pause between two.
    func silence(at now: Timestamp) -> Duration? {
        guard state == .active, rate == 0, let silentSince else { return nil }
        let silence = now - silentSince
        return silence >= TransferMeter.silence ? .seconds(Int(silence.seconds)) : nil
    }

    /// ``silence(at:)`` in words, the longest first.
    func silenceWords(at now: Timestamp) -> [String]? {
        silence(at: now).map { silence in
            let time = Format.seconds(silence)
            return ["no bytes for \(time)", "no bytes \(time)", "no bytes"]
        }
    }
}

extension PipelineSnapshot {
    /// As long as that without a byte, and what is left of a rate is that of before, which only falls.
    private static let lull = Duration.seconds(3)

    /// Whether bytes come, so that the rate says something of the time to come.
    ///
    /// Transfers that have begun just now have no rate of their own yet, those before them had. Where the rate is so
    /// small that it may be no more than what those left in the measurement, one that runs must have some of it.
    var isArriving: Bool {
        guard rate > 0 else { return false }
        let fresh = active.filter { row in row.silentSince.map { time - $0 < Self.lull } ?? true }
        return rate < 512 ? fresh.contains { $0.rate > 0 } : !fresh.isEmpty
    }

    /// The rate of all as it is shown: what is left of a measurement while nothing comes is none.
    var rateFigure: Format.Figure { Format.rate(rate < 512 && !isArriving ? 0 : rate) }

    /// Whether tasks run and nothing comes: then the pipeline has no news, though the time goes on.
    var isSilent: Bool {
        rate == 0 && active.contains { $0.silentSince != nil } && active.allSatisfy { $0.rate == 0 }
    }
}
