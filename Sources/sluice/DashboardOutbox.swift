internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal

/// Hands events and snapshots to the screen together, so that it wakes once for both.
final class DashboardOutbox: Sendable {
    private struct State {
        var events: [PipelineEvent] = []
        var last: PipelineSnapshot?
    }

    private let mailbox: Mailbox
    private let state = Locked(State())

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var listener: EventListener {
        EventListener { [self] event in
            // The snapshot says what is queued; as news they are noise, and as many as URLs in a list.
            if case .taskChanged(let change) = event.kind, change.phase == .queued { return }
            state.withLock { $0.events.append(event) }
        }
    }

    /// The newest snapshot.
    var last: PipelineSnapshot? { state.withLock { $0.last } }

    func publish(_ snapshot: PipelineSnapshot) {
        let events = state.withLock { state in
            defer { state.events = [] }
            state.last = snapshot
            return state.events
        }
        mailbox.post(events: events, snapshot: snapshot)
    }
}
