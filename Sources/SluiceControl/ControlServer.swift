public import SluiceCore
internal import SluiceSystem

/// Serves the control socket: lets programs of the same user steer a pipeline and follow its events.
///
/// JSON-RPC 2.0, one message a line. A thread of its own does all the work: whatever
/// clients send, read or do not read, the pipeline and the screen only ever append to a
/// bounded history. It knows no pipeline; queries go to a closure.
///
/// Make it, ``start(asking:context:events:quit:)`` it, let it ``hear(_:)`` every event, and ``close()`` it.
public final class ControlServer: Sendable {
    /// What the other threads leave for the control thread.
    struct Inbox {
        struct Reply {
            let client: Int
            let serial: Int
            let reply: PipelineReply
        }

        var history = EventHistory()
        var replies: [Reply] = []
        /// Whether anybody wants to be woken for events.
        var hasSubscribers = false
        var isRung = false
        var isClosing = false
        /// When the end is due, whoever still reads; `nil` leaves it to the thread.
        var end: Timestamp?
    }

    /// Absolute or relative, as it was named.
    public var path: String { socket.path }

    let socket: ListeningSocket
    let inbox = Locked(Inbox())
    let bell = Doorbell()
    private let thread = Locked<WorkerThread?>(nil)
    private let isClosed = Locked(false)

    /// Listens at `path`; nobody is answered before the start.
    ///
    /// - Throws: If another Sluice listens there, or it can't be made.
    public init(path: String) throws(ControlSocketError) {
        socket = try ListeningSocket(path: path)
    }

    /// Starts to serve; to be called once.
    ///
    /// - Parameters:
    ///   - ask: Queues a query; its reply may come on any thread.
    ///   - context: What the session adds to calls.
    ///   - events: Writes events in the form of the event stream.
    ///   - quit: Called on the control thread when a program asks for the end.
    public func start(
        asking ask: @escaping @Sendable (PipelineQuery, @escaping @Sendable (PipelineReply) -> Void) -> Void,
        context: ControlContext,
        events: EventEncoder,
        quit: @escaping @Sendable () -> Void
    ) {
        let started = WorkerThread { [self] in
            let encoder = ControlEncoder(events: events)
            let loop = ControlLoop(self, context: context, encoder: encoder, ask: ask, quit: quit)
            loop.run()
        }
        thread.withLock { $0 = started }
    }

    /// Takes the next event; never waits.
    ///
    /// Every event of the session must come here, in order.
    public func hear(_ event: PipelineEvent) {
        change { inbox in
            inbox.history.append(event)
            return inbox.hasSubscribers
        }
    }

    /// Answers what is open, sends what can be sent soon, and removes the socket.
    ///
    /// The pipeline must have ended, so that no answer is still to come. A second call does nothing.
    ///
    /// - Parameter end: When those who still read are left at the latest, if that is sooner than they may read anyway.
    public func close(by end: Timestamp? = nil) {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if wasClosed { return }
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let running else { return socket.close() }
        change { inbox in
            (inbox.isClosing, inbox.end) = (true, end)
            return true
        }
        running.join()
    }

    func post(_ reply: Inbox.Reply) {
        change { inbox in
            inbox.replies.append(reply)
            return true
        }
    }

    /// Changes the inbox, and wakes the control thread if that is worth it and nobody did.
    private func change(_ body: (inout Inbox) -> Bool) {
        let mustRing = inbox.withLock { inbox in
            guard body(&inbox), !inbox.isRung else { return false }
            inbox.isRung = true
            return true
        }
        if mustRing { bell.ring() }
    }
}
