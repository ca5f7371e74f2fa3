import SluiceTestSupport
import Testing

@testable import SluiceCore

/// The player of recordings, in every order of keys and times.
struct ReplayPlayerTests {
    /// Bursts, gaps, and a silence of a minute, in milliseconds.
    private static let times = [0, 0, 250, 250, 1_000, 6_000, 66_000, 66_001]

    private static let recording: Recording = {
        var recording = Recording(start: .zero)
        for (index, time) in times.enumerated() {
            let kind = PipelineEvent.Kind.taskProgress(TaskID(1), received: index, expected: nil)
            recording.append(PipelineEvent(seq: index + 1, t: .milliseconds(time), kind: kind))
        }
        return recording
    }()

    private struct World {
        var player: ReplayPlayer
        var now = Timestamp(nanoseconds: 5_000_000_000)
    }

    private func problem(_ player: ReplayPlayer) -> String? {
        let place = player.position.nanoseconds
        let times = Self.recording.times
        if place < 0 || place > times[times.count - 1] { return "out of the recording: \(place)" }
        if times[..<player.index].contains(where: { $0 > place }) { return "an event is applied before its time" }
        if times[player.index...].contains(where: { $0 < place }) { return "an event is late" }
        var copy = player
        copy.seek(to: .time(player.position))
        if copy.position != player.position { return "a seek to where it is moves it" }
        if !ReplayPlayer.speeds.contains(player.speed) { return "a speed of its own: \(player.speed)" }
        return nil
    }

    @Test func everySequenceKeepsEventsAndTimeTogether() throws {
        let passes: [Duration] = [.milliseconds(100), .seconds(2), .seconds(60)]
        let visited = try exploreAll(
            from: World(player: ReplayPlayer(Self.recording)),
            depth: 5,
            steps: { world in
                var steps: [(name: String, next: World)] = []
                for command in ReplayPlayer.Command.allCases {
                    var next = world
                    next.player.perform(command, at: world.now)
                    steps.append(("\(command)", next))
                }
                for time in passes {
                    var next = world
                    next.now = world.now + time
                    next.player.advance(to: next.now)
                    steps.append(("\(time)", next))
                }
                return steps
            },
            problem: { world in
                if let problem = problem(world.player) { return problem }
                let wake = world.player.nextWake(after: world.now)
                if world.player.isPaused, wake != nil { return "a paused one wants to be woken" }
                if let wake, wake < world.now { return "it wants to be woken in the past" }
                return nil
            }
        )
        #expect(visited == 271_453)
    }

    @Test func itPlaysAsFastAsItIsTold() {
        let expected: [(speed: Double, milliseconds: Int)] = [
            (0.25, 100), (0.5, 200), (1, 400), (2, 800), (4, 1_600), (8, 3_200), (32, 12_800), (64, 25_600),
            // A minute would take more than three seconds: a hundred-and-twentieth of it passes in the last 25 ms.
            (16, 6_500),
        ]
        #expect(Set(expected.map(\.speed)) == Set(ReplayPlayer.speeds))
        for (speed, milliseconds) in expected {
            var player = ReplayPlayer(Self.recording, speed: speed)
            let start = Timestamp(nanoseconds: 1)
            player.advance(to: start)
            player.advance(to: start + .milliseconds(400))
            #expect(player.position == .milliseconds(milliseconds))
        }
    }

    @Test func aLongSilencePassesInThreeSeconds() {
        var player = ReplayPlayer(Self.recording)
        player.seek(to: .time(.seconds(6)))
        let start = Timestamp(nanoseconds: 1)
        player.advance(to: start)
        #expect(player.isSkipping)
        player.advance(to: start + .milliseconds(1_500))
        #expect(player.position == .seconds(36))
        player.advance(to: start + .milliseconds(3_000))
        #expect(player.position == .seconds(66) && !player.isAtEnd && !player.isSkipping)
    }

    @Test func atTheEndItPausesAndCanBeginAgain() {
        var player = ReplayPlayer(Self.recording, speed: 64)
        var now = Timestamp(nanoseconds: 1)
        var wakes = 0
        while let wake = player.nextWake(after: now), wakes < 1_000 {
            now = wake
            player.advance(to: now)
            wakes += 1
        }
        #expect(player.isAtEnd && player.isPaused && player.index == Self.times.count)
        #expect(wakes < 200, "it sleeps between events")
        player.perform(.toggle, at: now)
        #expect(player.index == 0 && player.position == .zero && !player.isPaused)
    }

    @Test func steppingVisitsEveryEventBothWays() {
        var player = ReplayPlayer(Self.recording, isPaused: true)
        let now = Timestamp(nanoseconds: 1)
        for number in 1...Self.times.count {
            player.perform(.step, at: now)
            #expect(player.index == number && player.position == .milliseconds(Self.times[number - 1]))
        }
        player.perform(.step, at: now)
        #expect(player.isAtEnd)
        for number in (0..<Self.times.count).reversed() {
            player.perform(.stepBack, at: now)
            #expect(player.index == number)
        }
    }

    @Test(arguments: [
        ("90", ReplayPlayer.Place.time(.seconds(90))), ("90s", .time(.seconds(90))),
        ("1.5", .time(.milliseconds(1_500))),
        ("1:30", .time(.seconds(90))), ("1:02:03", .time(.seconds(3_723))), ("90:00", .time(.seconds(5_400))),
        ("50%", .percent(50)), ("0%", .percent(0)), ("100%", .percent(100)), ("12.5%", .percent(12.5)),
    ])
    func placesAreRead(text: String, place: ReplayPlayer.Place) { #expect(ReplayPlayer.Place(text) == place) }

    @Test(arguments: ["", "%", "101%", "-1", "1:60", "1:-1", "1:2:3:4", "1:90:00", "x", "1:30s", "1e9999", ":", "1::2"])
    func otherTextsAreNoPlaces(text: String) { #expect(ReplayPlayer.Place(text) == nil) }

    @Test func theQueueOfARecordingIsThatOfAnArray() {
        var (queue, list, rows) = (ReplayQueue(), [TaskID](), [TaskID: Int32]())
        var random = SeededRandom(seed: 7)
        for step in 1...2_000 {
            if list.isEmpty || Int.random(in: 0..<3, using: &random) > 0 {
                let place = Int.random(in: 0...list.count, using: &random)
                rows[TaskID(step)] = queue.insert(TaskID(step), at: place + 1)
                list.insert(TaskID(step), at: place)
            } else {
                let task = list.remove(at: Int.random(in: 0..<list.count, using: &random))
                queue.remove(rows[task] ?? -1)
            }
            #expect(queue.count == list.count)
        }
        #expect(queue.tasks(from: 1, count: .max) == list)
        #expect(queue.tasks(from: 5, count: 3) == Array(list[4..<7]))
        #expect(list.enumerated().allSatisfy { queue.position(of: rows[$0.element] ?? -1) == $0.offset + 1 })
    }
}
