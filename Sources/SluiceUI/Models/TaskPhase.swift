internal import SluiceCore

/// A part of a task's time, in the order in which they follow each other.
enum TaskPhase: Int, CaseIterable, Sendable {
    case queued
    case dns
    case connect
    case tls
    case redirects
    case firstByte
    case body
    case decode
    case save

    var label: String { self == .firstByte ? "first byte" : "\(self)" }
}

extension TaskEnd.Timings {
    /// How long each phase took that happened.
    var durations: [(phase: TaskPhase, length: Duration)] {
        var durations = [(TaskPhase.queued, queued)]
        var at = Duration.zero
        for (phase, end) in transfer.ends {
            durations.append((phase, end - at))
            at = end
        }
        if let firstByte = transfer.firstByte {
            let start = max(at, firstByte)
            durations += [(.firstByte, start - at), (.body, max(.zero, transfer.total - start))]
        }
        if let decode { durations.append((.decode, decode)) }
        if let save { durations.append((.save, save)) }
        return durations
    }
}

extension TransferTimings {
    /// When each phase before the answer ended, in the order in which they did.
    ///
    /// Redirects come before the connection to where they led, or after the one that they came over.
    var ends: [(phase: TaskPhase, end: Duration)] {
        let all: [(TaskPhase, Duration?)] = [
            (.redirects, redirects), (.dns, dns), (.connect, connect), (.tls, tls),
        ]
        let known: [(phase: TaskPhase, end: Duration)] = all.compactMap { phase, end in end.map { (phase, $0) } }
        return known.sorted { ($0.end, $0.phase.rawValue) < ($1.end, $1.phase.rawValue) }
    }
}

extension DownloadError {
    /// What a transfer was at that failed before an answer could come, with what went wrong; `nil` for all else.
    var lastPhase: (phase: TaskPhase, note: String)? {
        switch code {
        case .hostNotFound: (.dns, "no address")
        case .cannotConnect: (.connect, "no connection")
        case .tlsUntrusted: (.tls, "not trusted")
        case .tlsFailed: (.tls, "failed")
        default: nil
        }
    }
}
