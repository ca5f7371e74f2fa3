/// Why the pipeline did what it did: facts, turned into a sentence only where somebody reads it.
public enum Why: Equatable, Sendable {
    /// With how many slots are taken now, this one included.
    case slotFree(active: Int, limit: Int)
    /// With how many queued tasks go first.
    case slotsTaken(active: Int, limit: Int, ahead: Int)
    /// Nothing new starts.
    case queueSuspended
    /// Nothing new starts until there is room.
    case diskFull
    /// It was paused when an earlier session ended.
    case restoredPaused
    /// It waited for another attempt when an earlier session ended, and its time has not come.
    case restoredWaiting
    /// The user had suspended the queue when an earlier session ended.
    case restoredSuspended
    /// A request of this method may have reached its server before the earlier session ended.
    case restoredUnsafe(String)
    /// An earlier session asked for it under other rules of trust than hold now; with its method where it may have
    /// reached its server there, and must not do so twice.
    case restoredUnderOtherTrust(reached: String?)
    /// The prefetch share of the slots is used up.
    case prefetchShare(limit: Int)
    /// Its host has as many slots as one host may have.
    case hostFull(limit: Int)
    /// As all of these, with how many receipts the task has now.
    case joinedActive(receipts: Int)
    /// `isMoved` if the task moved up for this request.
    case joinedQueued(receipts: Int, position: Int, isMoved: Bool)
    /// It stays paused.
    case joinedPaused(receipts: Int)
    /// Its wait is not cut short.
    case joinedWaiting(receipts: Int, until: Timestamp)
    /// It ran on without receipts, and has one again.
    case joinedDetached
    /// It is being answered from disk.
    case joinedAnswering(receipts: Int)
    /// Answered from memory; last used `idle` ago, costs `cost` bytes; the origin may be asked behind the answer.
    case inMemory(idle: Duration, cost: Int, asksBehind: Bool = false)
    /// The file of that path is copied for the request.
    case savedEarlier(path: String)
    /// Nothing can be done with it.
    case rejected(DownloadError)
    /// With why it failed, and how long that is remembered yet.
    case previouslyFailed(DownloadError, remaining: Duration)
    /// Why a task waits for its next attempt.
    case retryAfter(DownloadError, next: Int, of: Int, serverAsked: Bool)
    /// At the front of its priority.
    case resumedByUser
    /// Before its time came, at the front of its priority.
    case retriedByUser
    /// Whether it ran.
    case pausedByUser(gaveSlot: Bool)
    /// At the front of its priority.
    case retryTimeCame
    /// Nobody waits for it any more.
    case lastReceiptGone
    /// Before all other queued tasks.
    case promoted
    /// By places towards the end, negative towards the front.
    case movedByUser(by: Int)
    /// To what the user set, whatever its requests want.
    case priorityChanged(Priority)
    /// A request of a higher priority joined it.
    case claimsStrengthened
    /// The request of the highest priority was cancelled.
    case claimsWeakened
    /// Of an entry that was added, and nothing had to go for it.
    case fitsCapacity
    /// Of an entry that was added, and so many others went in the same step.
    case addedByPurging(victims: Int)
    /// Of an entry that was added and went in the same step, as the last of all; in bytes.
    case purgedAtOnce(cost: Int, preferred: Int)
    /// There was one of the same key.
    case replacedOlder
    /// In bytes.
    case largerThanCapacity(cost: Int, capacity: Int)
    /// By a key, a command, or a program.
    case removedByUser
    /// A successful request of that method to its URL, or to what the answer names, may have changed it.
    case changedByRequest(method: String)
    /// The program that uses the library keeps it out.
    case refusedByHook
    /// Behind all others of its priority.
    case movedToEnd
    /// What it brings found no room, and it waits until there is some.
    case noRoom
    /// A file that was saved earlier is gone, so the network is asked after all.
    case earlierFileGone
    /// It is paused since the task is whose place it takes.
    case heldBack
    /// Answered from memory for a picture on the screen, which is no request of a user's.
    case forALook
    /// An image in memory was made of a body that is older than the one that came.
    case newerBody(NewerBody)
    /// The origin answered what the HTTP cache asked by speaking of a version that is not stored.
    case otherVersion
    /// No file can be made where it was wanted, and others want it elsewhere.
    case otherPlace
    /// A request that wants the bytes joined a transfer that kept none.
    case bytesWanted
    /// What the server sent can't continue the part that is there.
    case partUnusable(reason: String)
    /// A decision of the HTTP cache.
    case httpCache(HTTPCacheWhy)
    /// The sentence of a recording, of which the facts are not known any more.
    case recorded(String)

    /// Whether it makes a task begin anew at once, as if nothing had come yet.
    public var isStartOver: Bool {
        switch self {
        case .noRoom, .otherVersion, .otherPlace, .bytesWanted, .partUnusable: true
        default: false
        }
    }

    /// What became of a body that is newer than an image in memory.
    public enum NewerBody: Equatable, Sendable {
        /// Its own image takes the place.
        case came
        /// Its own image is not kept.
        case notKept
        /// No image was made of it.
        case notDecoded
    }
}
