/// Merges equal requests into tasks, bounds how many run, and orders the rest.
///
/// A ``Receipt`` is one request's claim on the task of its ``MergeKey``, and gets
/// exactly one outcome. A started task owns a transfer, which holds a slot until
/// ``transferEnded(_:)`` says that it is over, even if it was aborted: the task is
/// gone then, and an equal request is a new task that needs its own slot.
///
/// Pure: the shell starts what ``startNext()`` names, until it names nothing, after
/// every call that may have freed a slot or added a task.
///
/// - Complexity: Every operation costs O(log n) of the live tasks at most, amortized, and of
///   the receipts that it delivers or goes through; to pause a task, or to pass one over whose
///   host is full, O(log² n). What looks at all tasks, or lists or moves several, says so.
/// - SeeAlso: AFNetworking, `AFImageDownloader.m`. Unlike there, cancelling a
///   queued request frees no slot, because it never held one.
public struct DownloadScheduler: Sendable {
    /// Tells the shell to start `transfer` for `task`.
    public struct Start: Equatable, Sendable {
        /// A new one, which holds a slot from now on.
        public let transfer: TransferID
        /// What the transfer is for.
        public let task: TaskID
        /// Not the first start of this task.
        public let isResumption: Bool
    }

    /// What became of a submitted request.
    public enum Placement: Equatable, Sendable {
        /// A live task has its key; it stays where it is.
        case joined
        /// A live task has its key, and moved within the queue because this request's claim is stronger.
        case raised
        /// A new task, queued; ``startNext()`` may name it at once.
        case created
    }

    /// What cancelling a receipt did to its task.
    public enum CancelEffect: Equatable, Sendable {
        /// Others still wait for it; it stays where it is.
        case none
        /// Others still wait for it, and it moved within the queue because their claim is weaker.
        case lowered
        /// It had no slot and is gone.
        case removed
        /// It runs on, detached.
        case detached
        /// It is gone; abort its transfer, which keeps the slot until it ended.
        case aborted(TransferID)
    }

    /// A receipt's place in its task's list.
    struct ReceiptRow: SlabRow {
        static let vacant = ReceiptRow(
            receipt: Receipt(
                id: ReceiptID(0),
                options: RequestOptions(),
                source: .argument,
                tag: nil,
                submitted: Timestamp(nanoseconds: 0)
            ),
            task: -1,
            previous: -1,
            next: -1
        )

        var receipt: Receipt
        var task: Int32
        var previous: Int32
        var next: Int32

        var isVacant: Bool { task < 0 }
    }

    /// Most slots that prefetches may hold.
    public static let prefetchShare = 3

    /// Slots, in ``Settings/slotRange``.
    public private(set) var limit: Int
    /// Where new tasks go within their priority; those that are queued already stay where they are.
    public var order: Settings.Order
    /// What becomes of an active task whose last receipt is cancelled from now on.
    public var lastReceipt = Settings.LastReceipt.finish
    /// Whether nothing new starts.
    public var isSuspended = false

    /// The slots in use; the row is `nil` once the task is gone.
    var transfers = TransferMap<Int32?>()
    /// Active transfers that count to the prefetch share.
    var prefetchTransfers: Set<TransferID> = []
    var queue = TaskQueue()
    var hostShares = HostShares()
    var tasks = Slab<DownloadTask>()
    var receipts = Slab<ReceiptRow>()
    var keys = KeyIndex()
    var taskIDs = IdentifierMap()
    var receiptIDs = IdentifierMap()
    var waits = WaitQueue()
    /// In order of their creation.
    var pausedRows = PausedRows()
    /// In order of their start.
    var activeRows: [Int32] = []
    private var lastTransfer = 0

    /// - Parameters:
    ///   - limit: The number of slots, in ``Settings/slotRange``.
    ///   - order: Where a new task stands within its priority.
    public init(limit: Int = 4, order: Settings.Order = .fifo) {
        self.limit = Self.checked(limit)
        self.order = order
    }

    // MARK: Counts

    /// The slots in use, those of aborted transfers included.
    public var activeCount: Int { transfers.count }
    /// Tasks that run; the slots of those that were taken off may still be in use.
    public var runningCount: Int { activeRows.count }
    /// Tasks that wait for a slot.
    public var queuedCount: Int { queue.count }
    /// Tasks that wait for their retry time.
    public var waitingCount: Int { waits.count }
    /// Tasks that the user paused.
    public var pausedCount: Int { pausedRows.count }
    /// Live tasks in any phase.
    public var liveCount: Int { tasks.count }
    /// Tasks that are answered from disk.
    public var answeringCount: Int { liveCount - queuedCount - waitingCount - pausedCount - activeRows.count }
    /// Receipts without an outcome.
    public var liveReceiptCount: Int { receipts.count }
    /// Those of them that the next session goes on with.
    public private(set) var keptReceiptCount = 0
    /// Tasks that were ever created.
    public var taskCount: Int { taskIDs.last }
    /// Receipts that were ever given.
    public var receiptCount: Int { receiptIDs.last }
    /// When the next waiting task goes on.
    public var nextWait: Timestamp? { waits.first }

    // MARK: Submitting and cancelling

    /// Joins the live task of `key`, or makes one.
    ///
    /// Joining moves the task only if the request's priority is higher than the task's.
    ///
    /// - Parameters:
    ///   - key: What makes requests equal.
    ///   - options: Of the request; its priority may raise the task's.
    ///   - source: Where the request came from.
    ///   - tag: Comes back with its outcome.
    ///   - forbidsNetwork: Only caches may answer it.
    ///   - answersFromDisk: A new task is answered from disk and is not queued.
    ///   - now: When the request was submitted.
    /// - Returns: The request's claim, and the task it is on.
    public mutating func submit(
        _ key: MergeKey,
        options: RequestOptions,
        source: DownloadRequest.Source,
        tag: String? = nil,
        forbidsNetwork: Bool = false,
        answersFromDisk: Bool = false,
        now: Timestamp
    ) -> (receipt: ReceiptID, task: TaskID, placement: Placement) {
        let found = row(of: key)
        let row = found ?? addTask(key, priority: options.priority, now: now)
        let isFirst = found == nil
        // Also one whose prefetch was cancelled while it ran.
        let wasPrefetch = !isFirst && tasks[row].demandCount == 0
        let before = isFirst ? nil : queue.band(of: row)
        let receipt = addReceipt(
            to: row,
            options: options,
            source: source,
            tag: tag,
            forbidsNetwork: forbidsNetwork,
            now: now
        )
        guard isFirst else {
            if wasPrefetch, !tasks[row].isPrefetch { leavePrefetchShare(row) }
            // Nobody was left for it, and now it is ahead of need.
            if tasks[row].isPrefetch, tasks[row].receiptCount == 1 { joinPrefetchShare(row) }
            follow(priorityOf: row)
            return (receipt, tasks[row].id, queue.band(of: row) == before ? .joined : .raised)
        }
        if answersFromDisk {
            tasks[row].phase = .answering
        } else {
            queue.insert(row, band: band(of: row), atFront: order == .lifo)
        }
        return (receipt, tasks[row].id, .created)
    }

    /// Takes a receipt from its task.
    ///
    /// - Returns: The receipt and its task, or `nil` if it has its outcome already.
    public mutating func cancel(_ id: ReceiptID) -> (receipt: Receipt, task: DownloadTask, effect: CancelEffect)? {
        guard let place = receiptIDs[id.rawValue] else { return nil }
        let row = receipts[place].task
        let receipt = removeReceipt(place)
        let task = tasks[row]
        guard task.receiptCount == 0 else {
            let before = queue.band(of: row)
            if task.isPrefetch { joinPrefetchShare(row) }
            follow(priorityOf: row)
            return (receipt, task, queue.band(of: row) == before ? .none : .lowered)
        }
        guard case .active(let transfer) = task.phase else {
            remove(row)
            return (receipt, task, .removed)
        }
        if lastReceipt == .finish { return (receipt, task, .detached) }
        remove(row)
        transfers[transfer] = .some(nil)
        return (receipt, task, .aborted(transfer))
    }

    /// Ends a task for good: delivers to all its receipts, and forgets it.
    ///
    /// Used for success, failure and abort alike. A transfer that is still under way keeps its slot.
    ///
    /// - Returns: The receipts in order of submission; `nil` if it is over already.
    public mutating func end(_ id: TaskID) -> [Receipt]? {
        guard let row = taskIDs[id.rawValue] else { return nil }
        var delivered: [Receipt] = []
        delivered.reserveCapacity(Int(tasks[row].receiptCount))
        while tasks[row].firstReceipt >= 0 { delivered.append(removeReceipt(tasks[row].firstReceipt)) }
        if case .active(let transfer) = tasks[row].phase { transfers[transfer] = .some(nil) }
        remove(row)
        return delivered
    }

    // MARK: Transfers

    /// Raising fills the new slots at once; lowering lets started transfers end.
    ///
    /// - Precondition: `limit` is in ``Settings/slotRange``.
    public mutating func setLimit(_ limit: Int) { self.limit = Self.checked(limit) }

    /// Whether a slot is free and a task may take it.
    ///
    /// A task whose host turns out to be full counts until ``startNext()`` has looked at it.
    public var canStart: Bool {
        guard !isSuspended, activeCount < limit, let row = nextRow else { return false }
        return queue.band(of: row) != .prefetch || prefetchTransfers.count < Self.prefetchShare
    }

    /// Whether the next task waits only because prefetches hold their share of the slots.
    public var isPrefetchShareTaken: Bool {
        !isSuspended && activeCount < limit && !canStart && nextRow != nil
    }

    /// Gives a free slot to the task that is next; the shell must start it now.
    public mutating func startNext() -> Start? {
        guard let (row, band) = takeFirst() else { return nil }
        lastTransfer += 1
        let transfer = TransferID(lastTransfer)
        transfers[transfer] = .some(row)
        hostShares.started(transfer, host: host(of: row))
        activeRows.append(row)
        // One that the user promoted is no prefetch among others any more.
        if band == .prefetch { prefetchTransfers.insert(transfer) }
        defer { tasks[row].wasStarted = true }
        tasks[row].phase = .active(transfer)
        return Start(transfer: transfer, task: tasks[row].id, isResumption: tasks[row].wasStarted)
    }

    /// Frees the slot of a transfer; its task, if it lives, must be ended, paused or made to wait by the shell first.
    public mutating func transferEnded(_ transfer: TransferID) {
        guard let slot = transfers.removeValue(forKey: transfer) else {
            preconditionFailure("a transfer ends exactly once")
        }
        precondition(slot == nil, "a task that is over must leave its slot before it is freed")
        // Nothing is hashed where there is none.
        if !prefetchTransfers.isEmpty { prefetchTransfers.remove(transfer) }
        if let next = hostShares.ended(transfer) { letGo(next) }
    }

    /// Makes an active task wait for its next attempt.
    ///
    /// - Parameters:
    ///   - id: An active task.
    ///   - until: When it goes on.
    ///   - delay: The same as a duration, for the screen.
    ///   - counts: Whether the attempt counts as failed.
    public mutating func wait(_ id: TaskID, until: Timestamp, delay: Duration, counts: Bool = true) {
        guard let row = leaveSlot(id) else { return }
        if counts { tasks[row].failedAttempts += 1 }
        tasks[row].phase = .waiting(until: until, delay: delay)
        waits.insert(row, until: until)
    }

    /// Queues the waiting task whose time came first, at the front of its priority.
    ///
    /// One at a time, so that what is told of each says where it stood before the next one came.
    ///
    /// - Returns: The task, or `nil` if no task's time has come.
    public mutating func wakeNext(now: Timestamp) -> TaskID? {
        guard let row = waits.popDue(now: now) else { return nil }
        enqueueAtFront(row)
        return tasks[row].id
    }

    // MARK: Private

    func row(of key: MergeKey) -> Int32? { keys.find(key) { tasks[$0].key } }

    /// Prefetches are a level of their own, but for those that the user raised.
    func band(of row: Int32) -> TaskQueue.Band {
        let isRaised = tasks[row].isPriorityFixed && tasks[row].priority > .low
        return tasks[row].isPrefetch && !isRaised ? .prefetch : TaskQueue.Band(tasks[row].priority)
    }

    /// Takes an active task off its transfer, which keeps the slot until it ended.
    mutating func leaveSlot(_ id: TaskID) -> Int32? {
        guard let row = taskIDs[id.rawValue], case .active(let transfer) = tasks[row].phase else { return nil }
        transfers[transfer] = .some(nil)
        activeRows.removeAll { $0 == row }
        return row
    }

    mutating func enqueueAtFront(_ row: Int32) {
        tasks[row].phase = .queued
        queue.insert(row, band: band(of: row), atFront: true)
    }

    private mutating func addTask(_ key: MergeKey, priority: Priority, now: Timestamp) -> Int32 {
        // The identifier is known before the row is: rows are reused, identifiers are not.
        let id = TaskID(taskIDs.last + 1)
        let row = tasks.insert(DownloadTask(id: id, key: key, phase: .queued, priority: priority, submitted: now))
        _ = taskIDs.add(row)
        keys.insert(row, key: key)
        return row
    }

    private mutating func addReceipt(
        to row: Int32,
        options: RequestOptions,
        source: DownloadRequest.Source,
        tag: String?,
        forbidsNetwork: Bool,
        now: Timestamp
    ) -> ReceiptID {
        let id = ReceiptID(receiptIDs.last + 1)
        var receipt = Receipt(id: id, options: options, source: source, tag: tag, submitted: now)
        receipt.forbidsNetwork = forbidsNetwork
        let tail = tasks[row].lastReceipt
        let place = receipts.insert(ReceiptRow(receipt: receipt, task: row, previous: tail, next: -1))
        _ = receiptIDs.add(place)
        if tail >= 0 { receipts[tail].next = place } else { tasks[row].firstReceipt = place }
        tasks[row].lastReceipt = place
        tasks[row].count(receipt, by: 1)
        if source.isKept { keptReceiptCount += 1 }
        return id
    }

    private mutating func removeReceipt(_ place: Int32) -> Receipt {
        let entry = receipts.remove(place)
        if entry.previous >= 0 {
            receipts[entry.previous].next = entry.next
        } else {
            tasks[entry.task].firstReceipt = entry.next
        }
        if entry.next >= 0 {
            receipts[entry.next].previous = entry.previous
        } else {
            tasks[entry.task].lastReceipt = entry.previous
        }
        tasks[entry.task].count(entry.receipt, by: -1)
        if entry.receipt.source.isKept { keptReceiptCount -= 1 }
        receiptIDs.forget(entry.receipt.id.rawValue)
        return entry.receipt
    }

    /// Forgets a task wherever it stands; a transfer of it stays.
    private mutating func remove(_ row: Int32) {
        switch tasks[row].phase {
        case .queued: leaveQueue(row)
        case .active: activeRows.removeAll { $0 == row }
        case .waiting: waits.remove(row)
        case .paused: pausedRows.remove(row)
        case .answering: break
        }
        keys.remove(row, key: tasks[row].key)
        taskIDs.forget(tasks[row].id.rawValue)
        let rowCount = tasks.rowCount
        tasks.drop(row)
        if tasks.rowCount < rowCount { giveBackRows() }
    }

    /// Who has places for rows gives back those of rows that are no more.
    private mutating func giveBackRows() {
        queue.keepRows(below: tasks.rowCount)
        pausedRows.keepRows(below: tasks.rowCount)
        hostShares.keepRows(below: tasks.rowCount)
    }

    private static func checked(_ limit: Int) -> Int {
        precondition(Settings.slotRange.contains(limit), "the limit must be in \(Settings.slotRange)")
        return limit
    }
}
