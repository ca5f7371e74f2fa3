import SluiceCore
import Testing

struct FailurePlanTests {
    private let lost = DownloadError(.connectionLost, "the connection was lost")

    @Test func whatIsStoredAnswersFirstAndAnotherAttemptFollows() {
        var facts = FailurePlan.Facts(lost)
        (facts.hasFallback, facts.mayRetry) = (true, true)
        let steps: [FailurePlan.Step] = [
            .answerByStored(isPartKept: false), .otherPlace, .noteNotStored, .settle, .retry, .end,
        ]
        #expect(FailurePlan(facts).steps == steps)
    }

    @Test func aBodyThatCanBeContinuedIsTriedAgainBeforeWhatIsStoredAnswers() {
        var facts = FailurePlan.Facts(lost)
        (facts.hasFallback, facts.mayRetry, facts.canBeContinued) = (true, true, true)
        let steps: [FailurePlan.Step] = [
            .otherPlace, .settle, .retry, .answerByStored(isPartKept: true), .noteNotStored, .end,
        ]
        #expect(FailurePlan(facts).steps == steps)
    }

    @Test func aFullDiskIsWaitedForWhereSomebodyCanMakeRoom() {
        var facts = FailurePlan.Facts(DownloadError(.diskFull, "no room"))
        facts.mayRepeat = true
        #expect(FailurePlan(facts).steps.last == .end)
        facts.isAttended = true
        #expect(FailurePlan(facts).steps.suffix(2) == [.settle, .waitForRoom])
    }

    @Test(arguments: [
        (DownloadError.Code.connectionLost, false, FailurePlan.Part.kept), (.connectionLost, true, .discarded),
        (.badImage, false, .keptAsBad), (.badChecksum, false, .keptAsBad), (.badChecksum, true, .discarded),
        (.tooLarge, false, .discarded), (.diskFull, false, .kept),
    ])
    func aPartStaysWhereItIsOfUse(code: DownloadError.Code, isDetached: Bool, part: FailurePlan.Part) {
        var facts = FailurePlan.Facts(DownloadError(code, "no"))
        (facts.isDetached, facts.hasRecord) = (isDetached, true)
        #expect(FailurePlan.part(facts) == nil)
        facts.hasPart = true
        #expect(FailurePlan.part(facts) == part)
    }

    @Test func aPartThatCameUnderALargerLimitStays() {
        var facts = FailurePlan.Facts(DownloadError(.tooLarge, "no"))
        (facts.hasPart, facts.hasRecord, facts.exceedsLaterLimit) = (true, true, true)
        #expect(FailurePlan.part(facts) == .kept)
        facts.hasRecord = false
        #expect(FailurePlan.part(facts) == .discarded)
    }

    @Test func everyPlanEndsOnceAndNothingIsTriedTwice() {
        visitAll { facts in
            let steps = FailurePlan(facts).steps
            let isDetached = facts.isDetached
            guard case .askAgain = steps.first else {
                #expect(steps.count { $0 == .end || $0 == .waitForRoom } == 1)
                #expect(steps.last == .end || steps.last == .waitForRoom)
                #expect(steps.count { $0 == .settle } == 1)
                #expect(steps.count { isAnswer($0) } <= 1)
                #expect(steps.last == .waitForRoom || steps.count { isAnswer($0) } == 1)
                // Nobody waits for it: then no attempt follows, and nobody is told to make room.
                #expect(!steps.contains(.retry) || !isDetached)
                #expect(steps.last != .waitForRoom || !isDetached)
                #expect(!steps.contains(.otherPlace) || !facts.isPublished)
                expectOrder(steps)
                return
            }
            #expect(steps.count == 1 && !isDetached && facts.mustAskAgain != nil)
        }
    }

    /// What has arrived is settled before anybody waits, and after what may take it over whole.
    private func expectOrder(_ steps: [FailurePlan.Step]) {
        guard let settled = steps.firstIndex(of: .settle) else { return }
        for (place, step) in steps.enumerated() {
            switch step {
            case .retry, .waitForRoom, .end, .answerByStored(isPartKept: true): #expect(place > settled)
            case .otherPlace, .answerByStored(isPartKept: false): #expect(place < settled)
            case .askAgain, .settle, .noteNotStored: break
            }
        }
    }

    private func isAnswer(_ step: FailurePlan.Step) -> Bool {
        if case .answerByStored = step { true } else { false }
    }

    /// Every code with every combination of what may be known.
    private func visitAll(_ visit: (FailurePlan.Facts) -> Void) {
        for code in DownloadError.Code.allCases {
            for bits in 0..<(1 << 10) {
                var facts = FailurePlan.Facts(DownloadError(code, "no"))
                let has = { (bit: Int) in bits >> bit & 1 == 1 }
                facts.mustAskAgain = has(0) ? "the part is of another version" : nil
                (facts.isDetached, facts.hasFallback, facts.canBeContinued) = (has(1), has(2), has(3))
                (facts.isPublished, facts.hasPart, facts.hasRecord) = (has(4), has(5), has(6))
                (facts.mayRepeat, facts.isAttended, facts.mayRetry) = (has(7), has(8), has(9))
                visit(facts)
            }
        }
    }
}
