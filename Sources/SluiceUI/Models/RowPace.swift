internal import SluiceCore

/// How a running row gets on: what is left of it, or that nothing comes.
extension PipelineSnapshot.Row {
    /// Until it is whole, at the rate that it has; `nil` where that says nothing.
    var secondsLeft: Double? {
        guard let expected, rate > 0, isRateSteady else { return nil }
        let seconds = Double(max(0, expected - received)) / Double(rate)
        return seconds < 360_000 ? seconds : nil
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
    /// Whether tasks run and nothing comes: then the pipeline has no news, though the time goes on.
    var isSilent: Bool {
        rate == 0 && active.contains { $0.silentSince != nil } && active.allSatisfy { $0.rate == 0 }
    }
}
