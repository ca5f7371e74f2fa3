internal import SluiceCore

/// What is on its way to the state that outlives the process, and what waits for it.
struct StateJournal {
    /// What is reported only when the changes before it are safe.
    ///
    /// Indirect: there may be many at once, and a snapshot is many times as large as an event.
    indirect enum Held {
        case event(PipelineEvent, EventInterest)
        case call(@Sendable () -> Void)
        case publish(TransferID, DecodedImage?)
        case snapshot(PipelineSnapshot)
    }

    /// Changes that may be on their way at once: more would pile up, and what a key did is shown behind them.
    static let mostUnsafe = 1_536

    /// Known files of a command are saved in lots: none of them is worth a wait, and none waits long.
    static let interval = Duration.milliseconds(20)

    /// How long what could not be saved waits before it is tried again, if nothing else is to be saved meanwhile.
    static let retryInterval = Duration.seconds(2)

    /// How long nothing was saved when the next change does not come fast.
    static let calm = Duration.milliseconds(100)

    let keeper: (any StateKeeping)?
    /// Whether the queue is kept, and news wait until it is.
    let keepsQueue: Bool
    var changes: [StateChange] = []
    /// What requests are kept with.
    var options = KeptOptions()
    /// Handed over so far, and safe so far.
    private(set) var handed = 0
    private(set) var safe = 0
    /// How many changes each lot has that is not safe yet, oldest first, and their sum.
    private var lots: [Int] = []
    private var unsafeCount = 0
    var held = Queue<(after: Int, Held)>()
    /// Whether a snapshot is among them; one is enough.
    var holdsSnapshot = false
    /// Nothing is submitted before it is known what is to be continued.
    var isLoading: Bool
    /// Why the last changes are not safe; they count as such all the same, lest everything stands still.
    var problem: StateProblem?
    /// Something is among the changes that should not wait for others.
    var mustSaveNow = false
    var handedAt: Timestamp?

    init(_ keeper: (any StateKeeping)?, keepsQueue: Bool, isLoading: Bool) {
        (self.keeper, self.keepsQueue, self.isLoading) = (keeper, keepsQueue && keeper != nil, isLoading)
    }

    /// Whether nothing can be kept any more.
    var hasFailed: Bool { problem.map { !$0.mayPass } ?? false }
    var isSettled: Bool { changes.isEmpty && handed == safe }
    /// When to try again what could not be saved, though nothing new is; `nil` if nothing waits for that.
    var retryTime: Timestamp? {
        guard let problem, problem.mayPass, isSettled, let handedAt else { return nil }
        return handedAt + Self.retryInterval
    }
    /// Whether new requests must wait until more of the old ones is safe.
    var isBehind: Bool { keepsQueue && unsafeCount >= Self.mostUnsafe }
    /// Whether changes come so slowly that one may wait until it is safe.
    func isCalm(_ now: Timestamp) -> Bool { handedAt.map { now - $0 >= Self.calm } ?? true }
    /// Whether what is said now must wait.
    var mustHold: Bool { keepsQueue && (!isSettled || !held.isEmpty) }

    /// Takes the changes so far, to be handed over as one lot.
    mutating func takeLot(now: Timestamp) -> (number: Int, changes: [StateChange]) {
        defer { (changes, mustSaveNow) = ([], false) }
        handed += 1
        handedAt = now
        lots.append(changes.count)
        unsafeCount += changes.count
        return (handed, changes)
    }

    /// All lots up to one are safe.
    mutating func settle(upTo number: Int) {
        guard number > safe else { return }
        unsafeCount -= lots.prefix(number - safe).reduce(0, +)
        lots.removeFirst(number - safe)
        safe = number
    }
}
