public import SluiceCore
internal import SluiceSystem
public import SluiceUI

/// News for the terminal's thread: the latest snapshot, the newest events, and every answer.
///
/// Posting never waits for the screen, from any thread. Snapshots replace each other;
/// of events the newest ``eventLimit`` are kept and the rest counted, since nobody can
/// read more; answers are never dropped. The lock is held to swap values, never to
/// compute them.
public final class Mailbox: Sendable {
    /// Events that wait at most: of those that end a task, and of all others.
    public static let eventLimit = 10_000

    struct Contents {
        var snapshot: PipelineSnapshot?
        var events = RecentEvents(limit: eventLimit)
        var answers: [AppEvent] = []
        var isEmpty: Bool { snapshot == nil && events.isEmpty && answers.isEmpty }
    }

    private let bell = Doorbell()
    private let contents = Locked(Contents())
    /// Apart, so that whoever stages never waits for the reader.
    private let staged = Locked(RecentEvents(limit: eventLimit))

    /// Holds nothing, and has a descriptor of its own.
    public init() {}

    /// Readable while there is something to take; for `poll(2)`.
    var descriptor: Int32 { bell.descriptor }

    /// Takes the place of one that nobody took, and what was staged goes with it; callable from any thread.
    public func post(snapshot: PipelineSnapshot) {
        let events = staged.withLock { staged in
            defer { staged = RecentEvents(limit: Self.eventLimit) }
            return staged
        }
        change { contents in
            contents.events.append(contentsOf: events)
            contents.snapshot = snapshot
        }
    }
    /// Goes behind those that nobody took, of which too many lose the oldest; callable from any thread.
    public func post(event: PipelineEvent) { change { $0.events.append(event) } }
    /// Goes with the next snapshot, so that the reader is woken once for both, and never for the event alone.
    public func stage(event: PipelineEvent) { staged.withLock { $0.append(event) } }
    /// Posts the answer to an effect that took its time, such as ``AppEvent/list(path:_:)``.
    public func post(answer: AppEvent) { change { $0.answers.append(answer) } }

    /// Takes everything posted since the last call.
    func take() -> Contents {
        bell.answer()
        return contents.withLock { contents in
            let taken = contents
            contents = Contents()
            return taken
        }
    }

    /// The bell rings only when the mailbox was empty: its reader takes everything at once.
    private func change(_ body: (inout Contents) -> Void) {
        let wasEmpty = contents.withLock { contents in
            let wasEmpty = contents.isEmpty
            body(&contents)
            return wasEmpty
        }
        if wasEmpty { bell.ring() }
    }
}
