extension Why {
    /// The decision in words, with its figures; starts in lower case and has no full stop.
    ///
    /// May hold text from servers in the message of an error: escape it before it
    /// reaches a terminal. `now` is the present, for times that lie ahead.
    public func sentence(now: Timestamp) -> String {
        switch self {
        case .slotFree(let active, let limit):
            "started because a slot was free: \(active) of \(limit) are taken now"
        case .slotsTaken(let active, let limit, let ahead):
            Self.queuedSentence(active: active, limit: limit, ahead: ahead)
        case .queueSuspended:
            "queued and kept there because the queue is suspended"
        case .diskFull:
            "queued and kept there because the disk is full, until there is room"
        case .restoredPaused:
            "queued where it stood in an earlier session, and paused as it was there"
        case .restoredWaiting:
            "from an earlier session, and waits for its next attempt as it did there"
        case .restoredSuspended:
            "queued where it stood in an earlier session, and kept there because the queue was suspended then and still is"
        case .restoredUnsafe(let method):
            "queued from an earlier session, and paused: its \(method) may have reached the server, which resuming asks again"
        case .restoredUnderOtherTrust(nil):
            "queued from an earlier session, and paused: it was asked for under other rules of trust than hold now, "
                + "and resuming takes these"
        case .restoredUnderOtherTrust(let method?):
            "queued from an earlier session, and paused: its \(method) may have reached the server, which resuming asks "
                + "again, and under other rules of trust than held then"
        case .prefetchShare(let limit):
            "queued because prefetching uses at most \(Self.slots(limit)), and all of them are taken"
        case .hostFull(let limit):
            "queued because one host gets at most \(Self.slots(limit)), and its host has them"
        case .joinedActive(let receipts):
            "joined a download that runs already, because its merge key is equal: \(Self.served(receipts))"
        case .joinedQueued(let receipts, let position, let isMoved):
            "joined a download that is queued at position \(position) and "
                + "\(isMoved ? "moved there for it" : "keeps it"): \(Self.served(receipts))"
        case .joinedPaused(let receipts):
            "joined a download that is paused and stays so: \(Self.served(receipts))"
        case .joinedWaiting(let receipts, let until):
            "joined a download that waits for its retry in \(Self.time(until - now)): \(Self.served(receipts))"
        case .joinedDetached:
            "joined a download that ran on after its last request was cancelled"
        case .joinedAnswering(let receipts):
            "joined a download that is being answered from disk: \(Self.served(receipts))"
        case .inMemory(let idle, let cost, let asksBehind):
            "answered from memory, where the image of \(ByteCount.text(cost)) was last used \(Self.time(idle)) ago"
                + (asksBehind ? "; the origin is asked behind it" : "")
        case .savedEarlier(let path):
            "answered by the file that was saved earlier: \(path)"
        case .rejected(let error):
            "rejected: \(error.message)"
        case .previouslyFailed(let error, let remaining):
            "not tried because it failed for good (\(error.message)), which is remembered for \(Self.time(remaining)) more"
        case .retryAfter(let error, let next, let of, let serverAsked):
            "waits because \(error.message); attempt \(next) of \(of) follows"
                + (serverAsked ? " when the server allows it" : "")
        case .resumedByUser: "resumed by the user, at the front of its priority"
        case .pausedByUser(let gaveSlot): gaveSlot ? "paused by the user, its slot given back" : "paused by the user"
        case .retriedByUser: "tried again by the user before its time, so it went to the front of its priority"
        case .retryTimeCame: "its time to retry came, so it went to the front of its priority"
        case .lastReceiptGone: "its last request was cancelled"
        case .promoted: "promoted by the user before all other queued downloads"
        case .movedByUser(let by):
            "moved by the user \(Self.places(by)) towards the \(by < 0 ? "front" : "end") of its priority"
        case .priorityChanged(let priority): "its priority became \(priority.name)"
        case .claimsStrengthened: "a request with a stronger claim joined it"
        case .claimsWeakened: "the request with the strongest claim on it was cancelled"
        case .fitsCapacity: "added because it fits the capacity"
        case .addedByPurging(let victims):
            "added, and to keep the capacity "
                + (victims == 1 ? "1 older entry was purged" : "\(victims) older entries were purged")
        case .purgedAtOnce(let cost, let preferred):
            "added and purged in the same step, because its \(ByteCount.text(cost)) are more than the "
                + "\(ByteCount.text(preferred)) that a purge leaves"
        case .replacedOlder: "replaced the older entry under the same key"
        case .largerThanCapacity(let cost, let capacity):
            "refused because its \(ByteCount.text(cost)) are more than the whole capacity of "
                + "\(ByteCount.text(capacity))"
        case .removedByUser: "removed by the user"
        case .changedByRequest(let method): "removed because a \(method) request may have changed it"
        case .refusedByHook: "refused by the admission hook"
        case .movedToEnd: "moved by the user to the end of its priority"
        case .noRoom: "the disk is full"
        case .earlierFileGone: "the earlier file could not be copied"
        case .heldBack: "paused, as the task is whose place it takes"
        case .forALook: "answered from memory, for a look"
        case .newerBody(.came): "removed, since a newer body came"
        case .newerBody(.notKept): "removed, since a newer body came, which is not kept"
        case .newerBody(.notDecoded): "removed, since a newer body came, which is not decoded"
        case .otherVersion: "the origin's 304 speaks of another version"
        case .otherPlace: "its file can't be made, and others want it elsewhere"
        case .bytesWanted: "a request that wants the bytes joined a transfer that kept none"
        case .partUnusable(let reason): "\(reason): it starts over"
        case .httpCache(let why): why.sentence
        case .recorded(let text): text
        }
    }

    /// Why there was no slot, without a place in the queue, which each of many requests has for itself.
    ///
    /// - Returns: `nil` for every other decision.
    public var slotsTakenCause: String? {
        guard case .slotsTaken(let active, let limit, _) = self else { return nil }
        return Self.cause(active: active, limit: limit)
    }

    private static func cause(active: Int, limit: Int) -> String {
        active >= limit
            ? (limit == 1 ? "because the only slot is taken" : "because all \(limit) slots are taken")
            : "because \(active) of \(limit) slots are taken and others go first"
    }

    private static func queuedSentence(active: Int, limit: Int, ahead: Int) -> String {
        let cause = cause(active: active, limit: limit)
        switch ahead {
        case ..<1: return "queued as the next one \(cause)"
        case 1: return "queued behind 1 other \(cause)"
        default: return "queued behind \(ahead) others \(cause)"
        }
    }

    private static func served(_ receipts: Int) -> String {
        receipts == 1 ? "one download serves 1 request" : "one download serves \(receipts) requests"
    }

    private static func slots(_ count: Int) -> String { count == 1 ? "1 slot" : "\(max(0, count)) slots" }

    private static func places(_ by: Int) -> String { by.magnitude == 1 ? "1 place" : "\(by.magnitude) places" }

    private static func time(_ duration: Duration) -> String {
        let seconds = duration.rounded(inUnitsOf: 1_000_000_000)
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7_200 ? "\((seconds + 30) / 60) min" : "\((seconds + 1_800) / 3_600) h"
    }
}
