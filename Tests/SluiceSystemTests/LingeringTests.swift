import SluiceCore
import SluiceSystem
import Testing

/// Who looks out for work before sleeping.
struct LingeringTests {
    private let now = Timestamp(nanoseconds: 7_000_000_000)

    @Test func itSleepsAtOnceUntilWorkCameSoon() {
        var lingering = Lingering()
        #expect(lingering.lookout(from: now) == nil, "nothing is known yet")
        lingering.waited(.seconds(3))
        #expect(lingering.lookout(from: now) == nil)
        lingering.waited(.microseconds(40))
        #expect(lingering.lookout(from: now) == now + Lingering.longest)
    }

    @Test func oneLookInVainIsTheLastUntilWorkComesFastAgain() {
        var lingering = Lingering()
        lingering.waited(.zero)
        #expect(lingering.lookout(from: now) != nil)
        lingering.waited(Lingering.longest + .nanoseconds(1))
        #expect(lingering.lookout(from: now) == nil)
        // Asleep all the while, but no longer than a look would have lasted.
        lingering.waited(Lingering.longest)
        #expect(lingering.lookout(from: now) != nil)
    }

    /// Every sequence of waits: a look follows each short one, and nothing else.
    @Test func theLastWaitDecides() {
        let waits: [Duration] = [.zero, Lingering.longest, Lingering.longest + .nanoseconds(1), .seconds(1)]
        for sequence in 0..<(4 * 4 * 4 * 4) {
            var lingering = Lingering()
            for step in 0..<4 {
                let wait = waits[sequence >> (2 * step) & 3]
                lingering.waited(wait)
                let end = lingering.lookout(from: now)
                #expect(end == (wait <= Lingering.longest ? now + Lingering.longest : nil))
            }
        }
    }
}
