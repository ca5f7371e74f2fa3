/// Why the pipeline did what it did: facts, turned into a sentence only where somebody reads it.
public enum Why: Equatable, Sendable {
    case slotFree(active: Int, limit: Int)
    case slotsTaken(active: Int, limit: Int, ahead: Int)
    case queueSuspended
    case restoredPaused
    /// The prefetch share of the slots is used up.
    case prefetchShare(limit: Int)
    /// Its host has as many slots as one host may have.
    case hostFull(limit: Int)
    case joinedActive(receipts: Int)
    case joinedQueued(receipts: Int, position: Int, isMoved: Bool)
    case joinedPaused(receipts: Int)
    case joinedWaiting(receipts: Int, until: Timestamp)
    case joinedDetached
    case joinedAnswering(receipts: Int)
    case inMemory(idle: Duration, cost: Int)
    case savedEarlier(path: String)
    case rejected(DownloadError)
    case previouslyFailed(DownloadError, remaining: Duration)
    /// Why a task waits for its next attempt.
    case retryAfter(DownloadError, next: Int, of: Int, serverAsked: Bool)
    case resumedByUser
    /// Whether it ran.
    case pausedByUser(gaveSlot: Bool)
    case retryTimeCame
    case lastReceiptGone
    case promoted
    case movedByUser(by: Int)
    case priorityChanged(Priority)
    case claimsStrengthened
    case claimsWeakened
    case fitsCapacity
    case replacedOlder
    case largerThanCapacity(cost: Int, capacity: Int)
    case removedByUser
    case refusedByHook
    /// A decision of the HTTP cache.
    case httpCache(HTTPCacheWhy)
    /// Free text of the pipeline's own, never of a server's.
    case note(String)
}
