import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Bodies that are continued although an earlier version of them could not be.
extension ResumeTests {
    /// Sends the rest of what the origin has now, whatever version was asked for.
    private static func ignoreCondition(_ answer: inout OriginResponse, _ body: [UInt8]) {
        (answer.status, answer.fault) = (206, nil)
        answer.headers.append(HeaderField("Content-Range", "bytes 300000-999999/1000000"))
        answer.body = .bytes(Array(body[300_000...]))
    }

    @Test(arguments: [false, true]) func aNewVersionIsContinuedInItsTurn(isPaused: Bool) throws {
        let cuts: [Int?] = [300_000, nil, isPaused ? nil : 600_000]
        serve(cuts: cuts, etag: { $0 == 1 ? "\"v1\"" : "\"v2\"" }, body: { [old, new] in $0 == 1 ? old : new }) {
            [new] number, answer in
            if number == 2 { Self.ignoreCondition(&answer, new) }
            if number == 3, isPaused { answer.fault = .stall(after: 600_000) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        if isPaused {
            #expect(harness.wait { progress($0).contains(600_000) })
            harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
            #expect(harness.wait { $0.changes(.suspended).count == 1 })
            harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        }
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-", nil, "bytes=600000-"])
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(harness.directory.names == ["data.bin"] && harness.directory.contents(of: "data.bin") == new)
    }

    /// The limit may be a slip, or another one next time.
    @Test func aPartOfAnEarlierAttemptOutlivesALimit() throws {
        serve(cuts: [300_000], body: { [old] _ in old })
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 0 }
        harness.submit(origin.url("/data.bin"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        for limit in ["100000", "0"] {
            try harness.set("maxFileSize", limit)
            let ends = harness.events.taskEnds.count
            harness.submit(origin.url("/data.bin"))
            #expect(harness.wait { $0.taskEnds.count == ends + 1 })
        }
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.truncated, .tooLarge, nil])
        #expect(ranges == [nil, "bytes=300000-", "bytes=300000-"])
        #expect(harness.directory.names == ["data.bin"] && harness.directory.contents(of: "data.bin") == old)
    }

    @Test func aServerThatNamesAnotherVersionEachTimeIsNotAskedForEver() throws {
        let cuts = [Int?](repeating: 300_000, count: 99)
        serve(cuts: cuts, etag: { "\"v\($0)\"" }, body: { [old] _ in old }) { [old] number, answer in
            if number.isMultiple(of: 2) { Self.ignoreCondition(&answer, old) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        let rest = "bytes=300000-"
        // The first attempt brought something, and two retries count.
        #expect(ranges == [nil, rest, nil, rest, nil, rest, nil])
        #expect(events.taskEnds.map(\.error?.code) == [.truncated])
    }

    /// - SeeAlso: RFC 9111 §3.4
    @Test func whatIsStoredOfAContinuedBodyHasTheFieldsOfTheSecondAnswer() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            answer.headers += [
                HeaderField("Cache-Control", number == 1 ? "no-cache" : "max-age=100"),
                HeaderField("X-Number", "\(number)"), HeaderField("X-Only-\(number)", "here"),
            ]
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        for number in 1...2 {
            harness.submit(origin.url("/data.bin"))
            #expect(harness.wait { $0.taskEnds.count == number })
        }
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(events.taskEnds.map(\.source) == [.network, .disk])
        let fields = try #require(events.responses.last?.head.fields)
        #expect(fields.values(of: "x-number") == ["2"] && fields.values(of: "cache-control") == ["max-age=100"])
        #expect(fields.has("x-only-1") && fields.has("x-only-2"))
        #expect(!fields.has("content-range") && fields.values(of: "content-length") == ["1000000"])
    }

    /// - SeeAlso: RFC 9111 §5.2.2.5
    @Test func noByteOfAnAnswerThatForbidsStoringIsStored() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            answer.headers.append(HeaderField("Cache-Control", number == 1 ? "no-store" : "max-age=100"))
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.contents(of: "data.bin") == old)
        #expect(events.httpCache(.skipped).map(\.why) == [.noStore] && events.httpCache(.stored).isEmpty)
    }

    @Test func aRefusalThatMayMeanTheRangeSaysSo() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number > 1 { answer = OriginResponse(403) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let message = try #require(try harness.finish().taskEnds.last?.error?.message)
        #expect(message.hasSuffix("the rest of what is there; without its .part all is asked for"), "\(message)")
    }

    /// A date is no proof, so that what lies behind the first bytes comes again and is compared.
    @Test func aPartOfAFewHundredBytesIsContinuedByItsDate() throws {
        serve(cuts: [700], etag: { _ in nil }, date: Self.date) { [old] _ in Array(old[..<2_000]) }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=512-"])
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(harness.directory.contents(of: "data.bin") == Array(old[..<2_000]))
    }

    /// An answer to `If-Range` need not say it again.
    @Test func theDateIsThatOfTheFirstAnswerWhereTheSecondHasNone() throws {
        serve(cuts: [300_000], date: Self.date, body: { [old] _ in old }) { number, answer in
            if number == 2 { answer.headers.removeAll { $0.isNamed("last-modified") } }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(try modified(in: harness) == 784_111_777)
    }

    /// What the first answer said of the body holds for what continues it.
    @Test(arguments: [false, true]) func theTypeIsThatOfTheFirstAnswerWhereTheSecondHasNone(isRefused: Bool) throws {
        serve(cuts: [isRefused ? nil : 300_000], body: { [old] _ in old }) { number, answer in
            answer.headers.removeAll { $0.isNamed("content-type") }
            if number == 1 {
                answer.headers.append(HeaderField("Content-Type", "image/png"))
                // The last chunk's end is missing, so nobody knows that this was all.
                if isRefused { (answer.framing, answer.fault) = (.chunked(), .close(after: .max)) }
            } else if isRefused {
                answer.headers.append(HeaderField("Content-Type", "text/html"))
            }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil, isRefused ? "bytes=1000000-" : "bytes=300000-"])
        #expect(events.taskEnds.map(\.error?.code) == [.badImage])
        #expect(harness.directory.names == ["data.bin.bad"])
    }

    @Test func theDateOfARefusalIsNotThatOfTheBody() throws {
        serve(cuts: [], body: { [old] _ in old }) { number, answer in
            answer.headers.removeAll { $0.isNamed("last-modified") }
            let date = number == 1 ? Self.date : "Mon, 07 Nov 1994 08:49:37 GMT"
            answer.headers.append(HeaderField("Last-Modified", date))
            // The last chunk's end is missing, so nobody knows that this was all.
            if number == 1 { (answer.framing, answer.fault) = (.chunked(), .close(after: .max)) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=1000000-"])
        #expect(try modified(in: harness) == 784_111_777)
        #expect(events.taskEnds.map(\.status) == [200], "what is there was no refusal")
    }

    @Test func theNameIsThatOfTheFirstAnswerWhereTheSecondHasNone() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number == 1 {
                answer.headers.append(HeaderField("Content-Disposition", "attachment; filename=real.bin"))
            }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"), options: RequestOptions(destination: "mine.bin"))
        harness.submit(origin.url("/data.bin"))
        try harness.finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.names == ["mine.bin", "real.bin"])
    }

    /// Where only a date tells the version, the end of the part is asked for again and compared: it stays in the part.
    @Test func attemptsThatBringNothingTakeNothingFromThePart() throws {
        serve(cuts: [300_000, 0, 4_000], etag: { _ in nil }, date: Self.date) { [old] _ in old }
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 5 }
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil] + [String](repeating: "bytes=283616-", count: 3))
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test(arguments: [nil, "\"v1\""]) func aRowTellsWhetherItCanBeContinued(tag: String?) throws {
        serve(cuts: [], etag: { _ in tag }, body: { [old] _ in old }) { _, answer in
            answer.fault = .stall(after: 300_000)
        }
        let snapshots = SnapshotBox()
        let harness = try PipelineHarness(saves: true, keeping: snapshots)
        harness.submit(origin.url("/data.bin"))
        let row = snapshots.wait { ($0.active.first?.received ?? 0) >= 200_000 }?.active.first
        #expect(row?.isContinuable == (tag != nil))
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        try harness.finish()
    }

    /// When the file was changed last, in seconds since 1970.
    func modified(in harness: PipelineHarness) throws -> Int {
        var status = stat()
        try #require(unsafe lstat(harness.directory.path + "/data.bin", &status) == 0)
        return status.st_mtim.tv_sec
    }

    /// Nobody knows yet whether the server continues; what there is of it is the part.
    @Test func aRestThatDoesNotComeEndsWithWhatThereIs() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number > 1 { answer.delay = .seconds(600) }
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 1 }
        harness.submit(origin.url("/data.bin"))
        #expect(origin.waitUntil { $0.hits("/data.bin") == 2 })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.bytes) == [300_000] && events.taskEnds.map(\.outcome) == [.cancelled])
        #expect(progress(events).last == 300_000)
        #expect(events.changes(.resumed).count == 1)
    }

    @Test func aRestThatIsNotAnsweredFailsWithWhatThereIs() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number > 1 { answer.fault = .raw([]) }
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 1 }
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.failed] && events.taskEnds.map(\.bytes) == [300_000])
        #expect(progress(events).last == 300_000)
    }
}
