/// What is done about a failed transfer, in the order in which it is tried: the first step that takes it ends the list.
///
/// Pure: whoever owns the transfer says what is known of it, and carries the steps out.
public struct FailurePlan: Equatable, Sendable {
    /// What is known of the transfer when it fails.
    public struct Facts: Equatable, Sendable {
        /// Why it failed.
        public let error: DownloadError
        /// Why a part could not be continued, if all of it must be asked for therefore.
        public var mustAskAgain: String?
        /// Whether nobody waits for it any more.
        public var isDetached = false
        /// Whether something is stored that may answer in its place.
        public var hasFallback = false
        /// Whether another request would continue what has arrived, rather than begin anew.
        public var canBeContinued = false
        /// Whether its file has its name already.
        public var isPublished = false
        /// Whether there is a file of what has arrived, under a name of a part.
        public var hasPart = false
        /// Whether that can be found again later, and belongs to a version that is known.
        public var hasRecord = false
        /// Whether the body came to more bytes than a limit on files allows, and began with those of an earlier attempt.
        public var exceedsLaterLimit = false
        /// Whether the request may be sent twice: GET and HEAD.
        public var mayRepeat = false
        /// Whether somebody is there who can make room on a disk.
        public var isAttended = false
        /// Whether the settings allow another attempt at all.
        public var mayRetry = false

        /// All else is untrue, or `nil`, at first.
        public init(_ error: DownloadError) { self.error = error }
    }

    /// What becomes of the part.
    public enum Part: Equatable, Sendable {
        /// For another attempt, or another session.
        case kept
        /// Under a name that says that it is not what it should be.
        case keptAsBad
        /// It would fail the same way again, or nobody could continue it.
        case discarded
    }

    /// One thing to try; those that say so may not take it, and the next one follows.
    public enum Step: Equatable, Sendable {
        /// Ask once more, for all of it; no failed attempt.
        case askAgain(reason: String)
        /// May take it: what is stored answers, if the rules for it allow that.
        case answerByStored(isPartKept: Bool)
        /// May take it: others want the file elsewhere, if its own place was what failed.
        case otherPlace
        /// Tell why a refusal is not stored.
        case noteNotStored
        /// Keep what has arrived, or not: see ``part(_:)``.
        case settle
        /// Wait until there is room on the disk.
        case waitForRoom
        /// May take it: wait for another attempt.
        case retry
        /// The failure is the outcome.
        case end
    }

    /// In the order in which they are tried; the last one takes it.
    public let steps: [Step]

    /// Plans for one failed transfer.
    public init(_ facts: Facts) {
        if let reason = facts.mustAskAgain, !facts.isDetached {
            steps = [.askAgain(reason: reason)]
            return
        }
        // What was begun is gone on with first: a large file that breaks off often would else never be a newer one.
        let goesOnFirst =
            facts.hasFallback && facts.mayRetry && !facts.isDetached && facts.error.isTransient && facts.canBeContinued
        var steps: [Step] = goesOnFirst ? [] : [.answerByStored(isPartKept: false)]
        if !facts.isPublished { steps.append(.otherPlace) }
        if !goesOnFirst { steps.append(.noteNotStored) }
        steps.append(.settle)
        // The rest would fail the same way.
        if facts.error.code == .diskFull, facts.isAttended, !facts.isDetached, facts.mayRepeat {
            self.steps = steps + [.waitForRoom]
            return
        }
        if !facts.isDetached { steps.append(.retry) }
        if goesOnFirst { steps += [.answerByStored(isPartKept: true), .noteNotStored] }
        self.steps = steps + [.end]
    }

    /// What becomes of the part, once what was not decided of the body is.
    ///
    /// - Parameter facts: As they are then: the first bytes of a body may have got their file only now.
    /// - Returns: `nil` where there is none.
    public static func part(_ facts: Facts) -> Part? {
        guard facts.hasPart else { return nil }
        if facts.isDetached { return .discarded }
        if facts.error.isBadBody { return .keptAsBad }
        // What an earlier attempt left came under another limit, and may again.
        let isBeyondLimit = facts.error.code == .tooLarge && !facts.exceedsLaterLimit
        return isBeyondLimit || !facts.hasRecord ? .discarded : .kept
    }
}
