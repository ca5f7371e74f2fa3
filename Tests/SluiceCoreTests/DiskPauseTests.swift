import SluiceCore
import Testing

struct DiskPauseTests {
    private func time(_ seconds: Int) -> Timestamp { Timestamp(nanoseconds: Int64(seconds) * 1_000_000_000) }

    @Test func nothingIsLookedAtWhileNothingIsFull() {
        var pause = DiskPause()
        #expect(pause.nextLook == nil)
        let goesOn = pause.looked(free: 0, now: time(1))
        #expect(!goesOn)
    }

    @Test func theQueueStopsOnceAndGoesOnWhenThereIsRoom() {
        var pause = DiskPause()
        let stops = [(1_000, 0), (5_000_000, 1)].map {
            pause.foundNoRoom(for: TaskID($0.1), missing: $0.0, in: nil, now: time($0.1))
        }
        #expect(stops == [true, false])
        #expect(pause.nextLook == time(2))
        let goesOnTooSoon = pause.looked(free: 1_000, now: time(2))
        #expect(!goesOnTooSoon)
        #expect(pause.nextLook == time(4))
        let goesOn = pause.looked(free: 1_100_000, now: time(4))
        #expect(goesOn)
        #expect(pause.needed == nil && pause.nextLook == nil)
    }

    /// A quota is not seen in what is free, and nobody shall be asked for the same bytes every two seconds.
    @Test func whereTheRoomIsNoneTheLooksBecomeRarer() {
        var (pause, now) = (DiskPause(), 0)
        var waits: [Int] = []
        for _ in 0..<10 {
            let stops = pause.foundNoRoom(for: TaskID(1), missing: 0, in: "/mnt", now: time(now))
            #expect(stops && pause.folder == "/mnt")
            guard let look = pause.nextLook else { continue }
            waits.append(Int((look - time(now)).components.seconds))
            now += waits[waits.count - 1]
            let goesOn = pause.looked(free: .max, now: time(now))
            #expect(goesOn)
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        _ = pause.foundNoRoom(for: TaskID(1), missing: 0, in: nil, now: time(now + 1_000))
        #expect(pause.nextLook == time(now + 1_002) && pause.folder == nil)
    }

    /// Who asks hears of each that the queue waits for, and of no other.
    @Test func theQueueWaitsForTheLeastThatIsNeeded() {
        var pause = DiskPause()
        let isWaitedFor = [5_000_000, 2_000, 3_000, 2_000, 1_000].enumerated().map {
            pause.foundNoRoom(for: TaskID($0), missing: $1, in: nil, now: time(0))
        }
        #expect(isWaitedFor == [true, true, false, false, true])
        #expect(pause.needed == 1_049_576)
        // The same task again, now with more to fetch.
        let isWaitedForAgain = pause.foundNoRoom(for: TaskID(4), missing: 4_000, in: nil, now: time(1))
        #expect(!isWaitedForAgain && pause.needed == 1_050_576)
        let isWaitedForElsewhere = pause.foundNoRoom(for: TaskID(5), missing: 0, in: "/mnt", now: time(1))
        #expect(!isWaitedForElsewhere && pause.needed == 1_050_576)
        let goesOn = pause.looked(free: 1_100_000, now: time(2))
        #expect(goesOn)
    }

    /// Small ones that fit let the large one try as often, and shall not let it do so without end.
    @Test func whatNeverFitsTriesMoreAndMoreRarely() {
        var (pause, now) = (DiskPause(), 0)
        var waits: [Int] = []
        for round in 1...5 {
            let stops = pause.foundNoRoom(for: TaskID(0), missing: 1_000_000_000, in: nil, now: time(now))
            #expect(stops && pause.needed == 1_001_048_576, "the small one of before is not waited for any more")
            let isLess = pause.foundNoRoom(for: TaskID(round), missing: 1_000, in: nil, now: time(now))
            #expect(isLess && pause.needed == 1_049_576)
            guard let look = pause.nextLook else { continue }
            waits.append(Int((look - time(now)).components.seconds))
            now += waits[waits.count - 1]
            let goesOn = pause.looked(free: 2_000_000, now: time(now))
            #expect(goesOn)
        }
        #expect(waits == [2, 4, 8, 16, 32])
        _ = pause.foundNoRoom(for: TaskID(0), missing: 1_000_000_000, in: nil, now: time(now))
        let goesOn = pause.looked(free: 2_000_000, now: time(now + 64))
        #expect(!goesOn, "alone it waits for all that it needs")
    }

    @Test func anAbsurdNeedDoesNotOverflow() {
        var pause = DiskPause()
        let stops = pause.foundNoRoom(for: TaskID(1), missing: .max, in: nil, now: time(0))
        let goesOn = pause.looked(free: nil, now: time(2))
        #expect(stops && goesOn, "where nobody can count, it is worth a try")
    }

    @Test func nothingWaitsForTheRoomOfATaskThatIsGone() {
        var pause = DiskPause()
        for (task, missing) in [(1, 1_000), (2, 5_000_000)] {
            _ = pause.foundNoRoom(for: TaskID(task), missing: missing, in: nil, now: time(0))
        }
        var goesOn = pause.keep { _, _ in true }
        #expect(!goesOn && pause.needed == 1_049_576)
        goesOn = pause.keep { task, _ in task == TaskID(2) }
        #expect(!goesOn && pause.needed == 6_048_576)
        goesOn = pause.keep { _, _ in false }
        #expect(goesOn && pause.needed == nil && pause.nextLook == nil)
        _ = pause.foundNoRoom(for: TaskID(3), missing: 0, in: nil, now: time(1))
        #expect(pause.nextLook == time(3), "the disk was not tried since")
        goesOn = pause.keep { _, _ in true }
        #expect(!goesOn)
    }

    /// What the first one has no room for says nothing of the second.
    @Test func theFolderThatWasFullFirstIsLookedAt() {
        var pause = DiskPause()
        _ = pause.foundNoRoom(for: TaskID(1), missing: 1_000, in: "/a", now: time(0))
        _ = pause.foundNoRoom(for: TaskID(2), missing: 1_000_000_000_000, in: "/b", now: time(0))
        #expect(pause.folder == "/a" && pause.needed == 1_049_576)
        var other = pause
        _ = other.keep { _, folder in folder == "/b" }
        #expect(other.folder == "/b" && other.needed == 1_000_001_048_576)
        let goesOn = pause.looked(free: 10_000_000, now: time(2))
        #expect(goesOn && pause.needed == nil)
    }

    @Test func whoWantsItToGoOnLooksAtOnce() {
        var pause = DiskPause()
        pause.lookAtOnce(now: time(0))
        #expect(pause.nextLook == nil)
        _ = pause.foundNoRoom(for: TaskID(1), missing: 1_000, in: nil, now: time(0))
        pause.lookAtOnce(now: time(1))
        #expect(pause.nextLook == time(1))
    }

    @Test func whatFitsWithoutSpareGoesOnAfterSomeLooks() {
        var pause = DiskPause()
        _ = pause.foundNoRoom(for: TaskID(1), missing: 3_500_000, in: nil, now: time(0))
        let free = [4_194_304, 4_194_304, 3_000_000, 4_194_304, 3_500_000, 3_500_000]
        let looks = free.enumerated().map { pause.looked(free: $1, now: time(2 * $0 + 2)) }
        #expect(looks == [false, false, false, false, false, true])
    }
}
