import SluiceCore
import SluiceOrigin
import SluicePictures
import SluicePipeline
import Testing

/// What events tell of a pipeline is what its snapshots say.
@Suite(.timeLimit(.minutes(5)))
struct ReplayModelTests {
    @Test func aRecordedSessionHasTheSnapshotOfThePipeline() throws {
        let origin = try Origin()
        let image = ImageEncoder.png(OriginImages.draw(.cover, width: 64, height: 64))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
        origin.route("/gone.png", OriginResponse(404, body: .bytes([])))
        origin.route(
            "/busy.png",
            OriginResponse(503, headers: [HeaderField("Retry-After", "250")], body: .bytes([]))
        )
        for path in ["/slow-1.png", "/slow-2.png"] { origin.hold(path) }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots) {
            $0.settings.maxActive = 2
            $0.settings.decode = .always
            ($0.settings.cacheCapacity, $0.settings.cachePreferred) = (70_000, 40_000)
            $0.settings.indicatorEnabled = false
        }
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 100)))
        harness.submit((1...9).map { origin.url("/\($0).png") } + [origin.url("/gone.png"), origin.url("/busy.png")])
        #expect(harness.wait { $0.taskEnds.count == 10 && $0.changes(.waiting).count == 1 })
        // From memory, and refused for what it is.
        harness.submit(origin.url("/9.png"), "no URL", origin.url("/gone.png"))
        harness.submit(origin.url("/slow-1.png"), origin.url("/slow-2.png"))
        #expect(origin.waitUntil { $0.held == 2 })
        harness.submit((1...8).map { origin.url("/queued-\($0).png") } + [origin.url("/queued-3.png")])
        #expect(harness.wait { $0.submissions.count == 25 })
        let tasks = harness.events.changes(.queued).suffix(8).map(\.task)
        harness.pipeline.send(.steer(.promote, .task(tasks[4])))
        harness.pipeline.send(.steer(.move(by: 3), .task(tasks[0])))
        harness.pipeline.send(.steer(.pause, .task(tasks[6])))
        harness.pipeline.ask(.steer(tasks[7], .setPriority(.low))) { _ in }
        harness.pipeline.send(.steer(.abort, .task(tasks[5])))
        harness.pipeline.send(.cancel(ReceiptID(harness.events.submissions.compactMap(\.receipt).count)))
        try harness.set("order", "lifo")
        harness.submit(origin.url("/last.png"))
        // Some settings overtake what is left of a list.
        #expect(harness.wait { $0.submissions.count == 26 })
        try harness.set("limitRate", "123456")

        let live = try #require(snapshots.wait { $0.settings.limitRate == 123_456 && $0.pausedCount == 1 })
        let (recording, now) = (try recorded(harness), Recording.startTime + (live.time - harness.start))
        var model = ReplayModel()
        for index in 0..<recording.count { model.apply(recording[index]) }
        let replayed = model.snapshot(at: now, window: QueueWindow(from: 1, count: 100))

        #expect(rows(replayed.active) == rows(live.active) && live.active.count == 2)
        #expect(rows(replayed.waiting) == rows(live.waiting) && live.waiting.count == 1)
        #expect(rows(replayed.paused) == rows(live.paused) && live.paused.count == 1)
        #expect(rows(replayed.queued) == rows(live.queued) && live.queued.count > 5)
        #expect(replayed.queuedFrom == live.queuedFrom && replayed.queuedCount == live.queuedCount)
        #expect(replayed.memory == live.memory && live.memory.purges > 0)
        #expect(replayed.memory.hits == live.memory.hits && live.memory.hits == 1)
        #expect(replayed.settings == live.settings)
        #expect(replayed.liveReceipts == live.liveReceipts)
        #expect(replayed.received == live.received)
        #expect(replayed.failed.map(\.url) == live.failed.map(\.url) && live.failedCount == 1)
        var counts = live.counts
        (counts.saved, counts.savedBytes, counts.unmet, counts.withdrawn) = (0, 0, 0, 0)
        #expect(replayed.counts == counts)
        #expect(
            replayed.active.map { ($0.submitted - Recording.startTime).seconds.rounded() }
                == live.active.map { ($0.submitted - harness.start).seconds.rounded() }
        )

        origin.release()
        let events = try harness.shutDown()
        guard case .sessionEnded(let end)? = events.last?.kind else { return }
        #expect(end.requests == 26)
        origin.close()
    }

    /// Retries that come due at once take their places one after the other, and so it is told.
    @Test func retriesThatComeDueAtOnceAreQueuedInTheSameOrder() throws {
        let snapshots = SnapshotBox()
        let failure = DownloadError(.cannotConnect, "refused")
        let harness = try PipelineHarness(failure: failure, keeping: snapshots) { $0.settings.maxActive = 6 }
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 100)))
        harness.submit((1...6).map { "http://127.0.0.1/\($0).png" })
        #expect(harness.wait { $0.changes(.waiting).count == 6 })
        try harness.set("suspended", "true")
        try expectTheSameQueue(harness, snapshots) { $0.queued.count == 6 }
        let times = harness.events.filter { event in
            if case .taskChanged(let change) = event.kind { change.phase == .queued } else { false }
        }
        #expect(Set(times.map(\.t)).count < 6, "some came due in one turn")
        try harness.shutDown()
    }

    @Test func aPausedTaskIsAsFarAsItWas() throws {
        let origin = try Origin()
        var answer = OriginResponse.bytes([UInt8](repeating: 1, count: 1_000_000), type: "application/octet-stream")
        answer.fault = .stall(after: 600_000)
        origin.route("/half", answer)
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots)
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 100)))
        harness.submit(origin.url("/half"))
        #expect(
            harness.wait { events in
                events.contains { event in
                    if case .taskProgress(_, 600_000, _) = event.kind { true } else { false }
                }
            }
        )
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        let live = try #require(snapshots.wait { $0.pausedCount == 1 && $0.active.isEmpty })
        #expect(live.paused.first?.received == 600_000 && live.paused.first?.expected == 1_000_000)
        let (recording, now) = (try recorded(harness), Recording.startTime + (live.time - harness.start))
        var model = ReplayModel()
        for index in 0..<recording.count { model.apply(recording[index]) }
        let replayed = model.snapshot(at: now, window: QueueWindow(from: 1, count: 100))
        #expect(rows(replayed.paused) == rows(live.paused))
        // It waits for a slot as one that has not begun, like one that was never paused.
        try harness.set("suspended", "true")
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        let resumed = try #require(snapshots.wait { $0.queuedCount == 1 && $0.pausedCount == 0 })
        #expect(resumed.queued.first?.received == 0)
        // And as far as it was if it is paused before it has one.
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        let again = try #require(snapshots.wait { $0.queuedCount == 0 && $0.pausedCount == 1 })
        #expect(again.paused.first?.received == 600_000 && again.paused.first?.expected == 1_000_000)
        let (more, then) = (try recorded(harness), Recording.startTime + (again.time - harness.start))
        for index in recording.count..<more.count { model.apply(more[index]) }
        #expect(rows(model.snapshot(at: then, window: QueueWindow(from: 1, count: 100)).paused) == rows(again.paused))
        try harness.shutDown()
        origin.close()
    }

    /// A request with a higher priority moves the task that it joins, and its cancelling moves it back.
    @Test func claimsThatMoveATaskAreTold() throws {
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(keeping: snapshots) { $0.settings.suspended = true }
        harness.pipeline.send(.watch(QueueWindow(from: 1, count: 100)))
        let urls = (1...6).map { "http://127.0.0.1/\($0).png" }
        harness.pipeline.send(.prefetch(urls[4...].map { DownloadRequest($0) }))
        harness.submit(Array(urls[..<4]))
        harness.submit(urls[2], urls[5], options: RequestOptions(priority: .high))
        harness.submit(urls[1])
        try expectTheSameQueue(harness, snapshots) { $0.queued.count == 6 && $0.liveReceipts == 9 }
        #expect(snapshots.all.last?.queued.map { $0.name } == ["3", "6", "1", "2", "4", "5"].map { "\($0).png" })
        #expect(harness.events.changes(.moved).map(\.position) == [1, 2])
        #expect(
            harness.events.submissions.suffix(3).map(\.why).map { $0.sentence(now: harness.start) } == [
                "joined a download that is queued at position 1 and moved there for it: one download serves 2 requests",
                "joined a download that is queued at position 2 and moved there for it: one download serves 2 requests",
                "joined a download that is queued at position 4 and keeps it: one download serves 2 requests",
            ]
        )

        for submission in harness.events.submissions[6...7] {
            harness.pipeline.send(.cancel(try #require(submission.receipt)))
        }
        try expectTheSameQueue(harness, snapshots) { $0.liveReceipts == 7 }
        #expect(snapshots.all.last?.queued.map { $0.name } == ["3", "1", "2", "4", "6", "5"].map { "\($0).png" })
        #expect(harness.events.changes(.moved).map(\.position) == [1, 2, 2, 5])
        try harness.shutDown()
    }

    /// Waits for a snapshot, and compares its queue with what the events tell of it.
    private func expectTheSameQueue(
        _ harness: PipelineHarness,
        _ snapshots: SnapshotBox,
        when condition: (PipelineSnapshot) -> Bool
    ) throws {
        let live = try #require(snapshots.wait { condition($0) })
        let recording = try recorded(harness)
        var model = ReplayModel()
        for index in 0..<recording.count { model.apply(recording[index]) }
        let replayed = model.snapshot(
            at: Recording.startTime + (live.time - harness.start),
            window: QueueWindow(from: 1, count: 100)
        )
        #expect(rows(replayed.queued) == rows(live.queued))
    }

    /// The events so far, written and read back.
    private func recorded(_ harness: PipelineHarness) throws -> Recording {
        let encoder = EventEncoder(
            start: SessionStart(time: harness.start, nanosecondsSince1970: 1_700_000_000_000_000_000)
        )
        var bytes: [UInt8] = []
        for event in harness.events { encoder.append(event, to: &bytes) }
        var reader = RecordingReader()
        try reader.add(bytes[...])
        return try reader.finish()
    }

    private func rows(_ rows: [PipelineSnapshot.Row]) -> [String] {
        rows.map { row in
            let state =
                switch row.state {
                case .waiting(_, let delay): "waiting \(delay.seconds)"
                default: "\(row.state)"
                }
            let facts = [
                "\(row.task.rawValue)", row.url, row.name, row.host, state, "×\(row.receipts)",
                "\(row.received) of \(row.expected ?? -1)", "\(row.attempt) of \(row.attempts)", "\(row.source)",
                row.reason?.sentence(now: Recording.startTime) ?? "-", row.httpVersion ?? "-", row.contentType ?? "-",
            ]
            return facts.joined(separator: " ")
        }
    }
}
