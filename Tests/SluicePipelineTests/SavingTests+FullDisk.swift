import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Disks that take nothing more.
extension SavingTests {
    @Test func aFullDiskStopsTheDashboardsQueueAndNothingFails() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) {
            $0.isDashboard = true
            $0.settings.maxActive = 1
        }
        harness.submit((1...5).map { origin.url("/\($0)") })
        #expect(harness.wait { $0.changes(.waiting).count == 1 })
        #expect(harness.wait { $0.changes(.queued).last?.reason == .noRoom }, "no time to retry came")
        let events = try harness.shutDown()
        #expect(events.taskEnds.isEmpty)
        #expect(events.contains { if case .warning(.diskFull, _, _) = $0.kind { true } else { false } })
        #expect(origin.log.requests.count == 1)
    }

    /// The queue goes on when there is room for the smaller one, and so that one is told, too.
    @Test func aWarningNamesWhatTheQueueWaitsFor() throws {
        origin.route("/large", OriginResponse(body: .pattern(count: 20_000_000)))
        origin.route("/small", OriginResponse(body: .pattern(count: 100_000)))
        origin.hold("/small")
        let harness = try PipelineHarness(files: FullDisk()) { $0.isDashboard = true }
        harness.submit(origin.url("/large"), origin.url("/small"))
        #expect(harness.wait { $0.warnings == [.diskFull] })
        origin.release("/small")
        #expect(harness.wait { $0.warnings.count >= 2 })
        let events = try harness.shutDown()
        let named: [TaskID] = events.compactMap { event in
            if case .warning(.diskFull, _, let task) = event.kind { task } else { nil }
        }
        #expect(named.prefix(2) == [TaskID(1), TaskID(2)])
    }

    /// A part without a validator gives its room back, and needs all of it again.
    @Test(arguments: [(nil, true), ("\"v1\"", false)]) func whatCanNotBeContinuedNeedsAllOfItsRoomAgain(
        tag: String?,
        needsAll: Bool
    ) throws {
        let size = 3_000_000
        origin.route("/a") { request, _ in .resource(.pattern(count: size), for: request, etag: tag) }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(
            files: FailingWriter(after: 2_000_000, DownloadError(.diskFull, "no space is left")),
            keeping: snapshots
        ) { $0.isDashboard = true }
        harness.submit(origin.url("/a"))
        let needed = try #require(snapshots.wait { $0.neededSpace != nil }?.neededSpace)
        #expect((needed >= size) == needsAll, "\(needed)")
        try harness.shutDown()
    }

    /// What found no room stops nothing any more when nobody waits for it.
    @Test(arguments: [
        PipelineCommand.steer(.abort, .task(TaskID(1))), .steer(.pause, .task(TaskID(1))), .cancel(ReceiptID(1)),
        .cancelAll,
    ])
    func theQueueGoesOnWithoutTheTaskThatFoundNoRoom(_ command: PipelineCommand) throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) { $0.isDashboard = true }
        harness.submit(origin.url("/large"))
        #expect(harness.wait { $0.changes(.queued).count == 1 })
        harness.pipeline.send(command)
        harness.submit(origin.url("/small"), options: RequestOptions(saves: false))
        #expect(harness.wait { $0.taskEnds.contains { $0.task == TaskID(2) && $0.outcome == .success } })
        let events = try harness.shutDown()
        #expect(events.warnings == [.diskFull, .diskSpace])
    }

    /// Who stays wants no file, so that nothing lacks room.
    @Test func theQueueGoesOnForWhoWantsNoRoom() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) { ($0.isDashboard, $0.settings.suspended) = (true, true) }
        harness.submit(origin.url("/large"))
        harness.submit(origin.url("/large"), options: RequestOptions(saves: false))
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(false))))
        #expect(harness.wait { $0.warnings.contains(.diskFull) })
        harness.pipeline.send(.cancel(ReceiptID(1)))
        #expect(harness.wait { $0.taskEnds.contains { $0.outcome == .success } })
        let events = try harness.shutDown()
        #expect(events.warnings == [.diskFull, .diskSpace])
    }

    @Test(arguments: [PipelineCommand.resumeAll, .set(SettingChange(name: "suspended", value: .flag(false)))])
    func whoLetsTheQueueGoOnNeedNotWaitForTheNextLook(_ command: PipelineCommand) throws {
        origin.setFallback { _, _ in .text("fine") }
        let disk = FullDisk()
        let harness = try PipelineHarness(files: disk) { $0.isDashboard = true }
        harness.submit(origin.url("/a"))
        #expect(harness.wait { $0.warnings.contains(.diskFull) })
        harness.submit(origin.url("/b"))
        #expect(harness.wait { $0.submissions.last?.why == .diskFull })
        harness.pipeline.send(.set(SettingChange(name: "suspended", value: .flag(true))))
        harness.pipeline.send(command)
        let isSettled = harness.wait { events in
            events.count { if case .settingChanged = $0.kind { true } else { false } } == 2
        }
        #expect(isSettled)
        try harness.shutDown()
        #expect(disk.looks.withLock { $0 } > 0)
    }

    @Test func aFullDiskEndsASessionThatNobodyWatches() throws {
        origin.setFallback { _, _ in .text("fine") }
        let harness = try PipelineHarness(files: FullDisk()) {
            ($0.endsOnFullDisk, $0.settings.maxActive) = (true, 1)
        }
        harness.submit((1...5).map { origin.url("/\($0)") })
        #expect(harness.wait { if case .sessionEnded? = $0.last?.kind { true } else { false } })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.diskFull] && origin.log.requests.count == 1)
        #expect(events.changes(.started).count == 1, "nothing else would fit either")
    }

    /// The file ends the transfer, not the origin.
    @Test func whatHadComeIsToldBeforeTheEnd() throws {
        origin.route("/data.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 100_000))
            answer.fault = .stall(after: 5_000)
            return answer
        }
        let harness = try PipelineHarness(files: FailingWriter(after: 5_000))
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        let progress = events.compactMap {
            if case .taskProgress(_, let received, _) = $0.kind { received } else { nil }
        }
        #expect(events.taskEnds.map(\.error?.code) == [.ioError])
        #expect(progress.last == 5_000)
    }
}
