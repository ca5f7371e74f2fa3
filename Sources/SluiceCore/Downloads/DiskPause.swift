/// Decides when a full disk stops the queue, and when it goes on.
///
/// Pure: it is told that a file found no room and how much is free, and says when to look
/// again. Nothing is looked at while the disk is not known to be full.
public struct DiskPause: Equatable, Sendable {
    /// Between two looks, at first.
    private static let interval = Duration.seconds(2)
    /// The same at most, where there seems to be room and is none: a quota is not seen in what is free.
    private static let longest = Duration.seconds(300)
    /// Bytes more than a file needs, so that the next one does not stop at once.
    private static let spare = 1_048_576

    /// Bytes that must be free for the queue to go on; `nil` while nothing is known to be full.
    public private(set) var needed: Int?
    /// When to look how much is free.
    public private(set) var nextLook: Timestamp?
    /// The absolute folder whose file system is full; `nil` is the destination.
    public private(set) var folder: String?
    /// Until the next look.
    private var wait = interval
    /// When the queue went on last.
    private var ended: Timestamp?

    /// Nothing is known to be full.
    public init() {}

    /// A file found no room.
    ///
    /// - Parameters:
    ///   - missing: Bytes that it still lacks; 0 if nobody knows.
    ///   - folder: Where it is, absolute; `nil` is the destination.
    ///   - now: When that was.
    /// - Returns: Whether the queue stops now.
    public mutating func foundNoRoom(missing: Int, in folder: String?, now: Timestamp) -> Bool {
        let isNew = needed == nil
        if isNew {
            let isAgain = ended.map { now - $0 < wait } ?? false
            wait = isAgain ? min(wait * 2, Self.longest) : Self.interval
            // Others may be full too; they are looked at when their files find no room.
            self.folder = folder
        }
        let (wish, isAbsurd) = missing.addingReportingOverflow(Self.spare)
        needed = max(needed ?? 0, isAbsurd ? missing : wish)
        nextLook = nextLook ?? now + wait
        return isNew
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
            nextLook = now + wait
            return false
        }
        (self.needed, nextLook, folder, ended) = (nil, nil, nil, now)
        return true
    }
}
