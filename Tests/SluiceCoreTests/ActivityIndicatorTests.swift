import SluiceCore
import SluiceTestSupport
import Testing

struct ActivityIndicatorTests {
    private let cat = TransferID(1)
    private let dog = TransferID(2)

    @Test func burstShorterThanActivationDelayStaysHidden() {
        var indicator = ActivityIndicator()
        #expect(indicator.started(cat, now: at(0))?.to == .delayingStart)
        #expect(indicator.deadline == at(1000))
        #expect(indicator.finished(cat, now: at(500)) == nil)
        #expect(indicator.timePassed(now: at(999)) == nil)
        #expect(indicator.timePassed(now: at(1000))?.to == .notActive)
        #expect(indicator.deadline == nil)
    }

    @Test func timerIsNotRestartedByLaterActivity() {
        var indicator = ActivityIndicator()
        _ = indicator.started(cat, now: at(0))
        _ = indicator.finished(cat, now: at(100))
        #expect(indicator.started(dog, now: at(900)) == nil)
        #expect(indicator.timePassed(now: at(1000))?.to == .active)
    }

    @Test func newTransferDuringCompletionDelayKeepsIndicatorVisible() {
        var indicator = ActivityIndicator()
        _ = indicator.started(cat, now: at(0))
        _ = indicator.timePassed(now: at(1000))
        #expect(indicator.finished(cat, now: at(2000))?.to == .delayingEnd)
        #expect(indicator.deadline == at(2170))
        #expect(indicator.started(dog, now: at(2100))?.to == .active)
        #expect(indicator.timePassed(now: at(2170)) == nil, "a late timer is ignored")
        #expect(indicator.isVisible)
    }

    @Test func delaysOfZeroGoThroughAllStates() {
        var indicator = ActivityIndicator(activationDelay: .zero, completionDelay: .zero)
        #expect(indicator.started(cat, now: at(5))?.to == .delayingStart)
        #expect(indicator.timePassed(now: at(5))?.to == .active)
        #expect(indicator.finished(cat, now: at(5))?.to == .delayingEnd)
        #expect(indicator.timePassed(now: at(5))?.to == .notActive)
        #expect(indicator.since == at(5))
    }

    @Test func enablingLooksAtTheTransfersAfresh() {
        var indicator = ActivityIndicator()
        _ = indicator.started(cat, now: at(0))
        #expect(indicator.enabledChanged(to: false, now: at(1))?.to == .notActive)
        #expect(indicator.deadline == nil)
        #expect(indicator.started(dog, now: at(2)) == nil)
        #expect(indicator.finished(cat, now: at(3)) == nil)
        #expect(indicator.enabledChanged(to: true, now: at(4))?.to == .delayingStart)
        #expect(indicator.deadline == at(1004))
    }

    @Test func invariantsHoldForEverySequenceOfEightEvents() throws {
        let visited = try exploreAll(from: World(), depth: 8, steps: \.successors, problem: \.problem)
        #expect(visited == 2_015_539, "the exploration must not shrink")
    }

    private func at(_ milliseconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(milliseconds) * 1_000_000) }
}

/// The indicator together with what an observer of its changes would believe.
private struct World {
    private var indicator = ActivityIndicator(activationDelay: .nanoseconds(10), completionDelay: .nanoseconds(4))
    private var transfers: Set<Int> = []
    private var shown = ActivityState.notActive
    private var now = Timestamp(nanoseconds: 0)
    private(set) var problem: String?

    var successors: [(name: String, next: World)] {
        var steps: [(name: String, next: World)] = []
        for id in [1, 2] {
            steps.append(step("start \(id)", mayAct: !transfers.contains(id)) { $0.start(id) })
            steps.append(step("finish \(id)", mayAct: transfers.contains(id)) { $0.finish(id) })
        }
        let toggled = !indicator.isEnabled
        steps.append(step(toggled ? "enable" : "disable") { $0.indicator.enabledChanged(to: toggled, now: $0.now) })
        if let deadline = indicator.deadline {
            steps.append(step("timer") { $0.pass(to: deadline) })
        } else {
            steps.append(step("late timer", mayAct: false) { $0.pass(to: $0.now + .nanoseconds(20)) })
        }
        return steps
    }

    private func step(
        _ name: String,
        mayAct: Bool = true,
        _ change: (inout World) -> ActivityIndicator.Change?
    ) -> (name: String, next: World) {
        var next = self
        next.now = now + .nanoseconds(1)
        if let early = indicator.deadline, next.now < early, next.indicator.timePassed(now: next.now) != nil {
            next.problem = "fired before its time"
        }
        let change = change(&next)
        if !mayAct, change != nil { next.problem = "changed for nothing" }
        next.observe(change)
        next.check()
        return (name, next)
    }

    private mutating func start(_ id: Int) -> ActivityIndicator.Change? {
        transfers.insert(id)
        return indicator.started(TransferID(id), now: now)
    }

    private mutating func finish(_ id: Int) -> ActivityIndicator.Change? {
        transfers.remove(id)
        return indicator.finished(TransferID(id), now: now)
    }

    private mutating func pass(to time: Timestamp) -> ActivityIndicator.Change? {
        now = max(now, time)
        return indicator.timePassed(now: now)
    }

    private mutating func observe(_ change: ActivityIndicator.Change?) {
        guard let change else { return }
        if change.from != shown { problem = "a change was not reported" }
        if change.from == change.to { problem = "a change changes nothing" }
        let isValid =
            switch (change.from, change.to) {
            case (.notActive, .delayingStart), (.active, .delayingEnd): true
            case (.delayingStart, .active), (.delayingEnd, .active): !transfers.isEmpty
            case (_, .notActive): !indicator.isEnabled || transfers.isEmpty
            default: false
            }
        if !isValid { problem = "\(change.from) led to \(change.to)" }
        shown = change.to
    }

    private mutating func check() {
        if shown != indicator.state { problem = "the state changed without being reported" }
        if (indicator.deadline != nil) != [.delayingStart, .delayingEnd].contains(shown) { problem = "deadline" }
        if indicator.count != transfers.count { problem = "count" }
        if !indicator.isEnabled, shown != .notActive { problem = "shown while disabled" }
        if indicator.isEnabled, indicator.deadline == nil, (shown == .active) == transfers.isEmpty { problem = "stuck" }
        if indicator.enabledChanged(to: indicator.isEnabled, now: now) != nil { problem = "enabled or disabled twice" }
    }
}
