/// Decides when a full disk stops the queue, and when it goes on.
///
/// Pure: it is told that a task found no room and how much is free, and says when to look
/// again. Nothing is looked at while the disk is not known to be full, and a task that nobody wants any more stops nothing.
public struct DiskPause: Equatable, Sendable {
    /// Between two looks, at first.
    private static let interval = Duration.seconds(2)
    /// The same at most, where there seems to be room and is none: a quota is not seen in what is free.
    private static let longest = Duration.seconds(300)
    /// Bytes more than a file needs, so that the next one does not stop at once.
    private static let spare = 1_048_576
    /// Looks that find room without that, until it is worth a try.
    private static let mostTightLooks = 3

    /// A task that found no room.
    private struct Wish: Equatable {
        /// Bytes that must be free.
        let needed: Int
        let folder: String?
        /// Grows with each that was found.
        let serial: Int
    }

    /// Bytes that must be free for the queue to go on; `nil` while nothing is known to be full.
    ///
    /// The least that one of its tasks needs: what does not fit then stops the queue again.
    public private(set) var needed: Int?
    /// When to look how much is free.
    public private(set) var nextLook: Timestamp?
    /// The absolute folder whose file system is full; `nil` is the destination.
    public private(set) var folder: String?
    /// Who waits for room, wherever that is.
    private var wishes: [TaskID: Wish] = [:]
    private var lastSerial = 0
    /// Looks in a row that found just enough.
    private var tightLooks = 0
    /// Until the next look.
    private var wait = interval
    /// When the queue went on last, since there was room.
    private var ended: Timestamp?

    /// Nothing is known to be full.
    public init() {}

    /// A task found no room for its file.
    ///
    /// - Parameters:
    ///   - task: Back in the queue now.
    ///   - missing: Bytes that it still lacks; 0 if nobody knows.
    ///   - folder: Where it is, absolute; `nil` is the destination.
    ///   - now: When that was.
    /// - Returns: Whether the queue waits for this task now: it stops, or goes on with less than it waited for before.
    public mutating func foundNoRoom(for task: TaskID, missing: Int, in folder: String?, now: Timestamp) -> Bool {
        let before = needed
        if before == nil {
            let isAgain = ended.map { now - $0 < wait } ?? false
            wait = isAgain ? min(wait * 2, Self.longest) : Self.interval
        }
        let (wish, isAbsurd) = missing.addingReportingOverflow(Self.spare)
        lastSerial += 1
        let new = Wish(needed: isAbsurd ? missing : wish, folder: folder, serial: lastSerial)
        let old = wishes.updateValue(new, forKey: task)
        if let before, old == nil {
            // Thousands of stored answers may find no room one after the other.
            if folder == self.folder { needed = min(before, new.needed) }
        } else {
            choose()
        }
        nextLook = nextLook ?? now + wait
        guard let before else { return true }
        return folder == self.folder && needed == new.needed && new.needed < before
    }

    /// Forgets the tasks that wait for room no more: without them there may be enough of it.
    ///
    /// - Parameter isWaiting: Whether a task still waits for room in a folder.
    /// - Returns: Whether the queue goes on now.
    /// - Complexity: O(n) for n tasks that found no room.
    public mutating func keep(where isWaiting: (TaskID, _ folder: String?) -> Bool) -> Bool {
        guard needed != nil, !wishes.allSatisfy({ isWaiting($0.key, $0.value.folder) }) else { return false }
        wishes = wishes.filter { isWaiting($0.key, $0.value.folder) }
        choose()
        if needed == nil { nextLook = nil }
        return needed == nil
    }

    /// Somebody asks that the queue go on, and may have made room.
    public mutating func lookAtOnce(now: Timestamp) {
        if needed != nil { nextLook = now }
    }

    /// Somebody looked.
    ///
    /// - Parameters:
    ///   - free: Bytes; `nil` if they can't be counted, and then it is worth a try.
    ///   - now: When that was.
    /// - Returns: Whether the queue goes on now.
    public mutating func looked(free: Int?, now: Timestamp) -> Bool {
        guard let needed else { return false }
        if let free, free < needed {
            // What fits without anything to spare may go on too, but not with each byte that others leave.
            tightLooks = free >= needed - Self.spare ? tightLooks + 1 : 0
            if tightLooks < Self.mostTightLooks {
                nextLook = now + wait
                return false
            }
        }
        self = DiskPause(wait: wait, ended: now)
        return true
    }

    private init(wait: Duration, ended: Timestamp) { (self.wait, self.ended) = (wait, ended) }

    /// Waits for the folder that was found full first.
    ///
    /// Others may be on disks of their own, and are looked at when their files find no room again.
    private mutating func choose() {
        let folder = wishes.values.min { $0.serial < $1.serial }?.folder
        self.folder = folder
        needed = wishes.values.lazy.filter { $0.folder == folder }.map(\.needed).min()
    }
}
