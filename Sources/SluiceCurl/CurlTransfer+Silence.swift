import SluiceCore

/// Silence, as far as curl does not tell of it: the lines of a head it brings when they are whole.
extension CurlTransfer {
    /// How often an answer's head may go on by bytes that are no whole line, lest one without an end holds a slot.
    static let mostPartialLines = 4

    /// Counts bytes of a head as activity that came since its last whole line; to be called when the time is up.
    ///
    /// The kernel knows when they came, and is asked only then. Of a body curl brings whatever comes.
    func notePartialLine() {
        guard !run.answer.hasBegun, run.exchange.partialLines < Self.mostPartialLines else { return }
        findSocket()
        guard let silence = sockets.silence(ofAnswerOn: run.exchange.socket) else { return }
        let last = Timestamp(nanoseconds: state.now.nanoseconds - silence.nanoseconds)
        guard last > lastActivity else { return }
        run.exchange.partialLines += 1
        lastActivity = last
    }

    /// The outcome of a transfer that brought nothing for so long.
    func silenceError(_ limit: Duration) -> DownloadError {
        if !run.answer.hasBegun, run.exchange.partialLines == Self.mostPartialLines {
            return DownloadError(.timedOut, "\(way) sends the head of its answer too slowly to wait for: try later")
        }
        return DownloadError(.timedOut, "\(way) sent no byte for \(limit.seconds) s: try later")
    }
}
