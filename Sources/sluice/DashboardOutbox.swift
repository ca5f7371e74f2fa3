internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal

/// Hands events and snapshots to the screen together, so that it wakes once for both.
final class DashboardOutbox: Sendable {
    private let mailbox: Mailbox
    private let newest = Locked<PipelineSnapshot?>(nil)

    init(_ mailbox: Mailbox) { self.mailbox = mailbox }

    var listener: EventListener {
        EventListener { [mailbox] event in
            // The snapshot says what is queued; as news they are noise, and as many as URLs in a list.
            if case .taskChanged(let change) = event.kind, change.phase == .queued { return }
            mailbox.stage(event: event)
        }
    }

    /// The newest snapshot.
    var last: PipelineSnapshot? { newest.withLock { $0 } }

    func publish(_ snapshot: PipelineSnapshot) {
        newest.withLock { $0 = snapshot }
        mailbox.post(snapshot: snapshot)
    }
}
