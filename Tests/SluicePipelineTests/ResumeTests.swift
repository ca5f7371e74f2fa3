import Glibc
import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Bodies that are continued by range, and those that must not be.
@Suite(.timeLimit(.minutes(5)))
struct ResumeTests {
    static let size = 1_000_000
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let origin: Origin
    private let seen = Seen()

    init() throws { origin = try Origin() }

    private static let versions = (
        old: (0..<size).map { OriginPattern.byte(at: $0) }, new: (0..<size).map { OriginPattern.byte(at: $0 + 12_345) }
    )
    let old = versions.old
    let new = versions.new

    /// The `Range` of each request that came.
    var ranges: [String?] { seen.requests.map { $0.header("range") } }

    /// Serves a version of the file for each request, cut where `cuts` says.
    func serve(
        cuts: [Int?],
        etag: @escaping @Sendable (Int) -> String? = { _ in "\"v1\"" },
        date: String? = nil,
        body: @escaping @Sendable (Int) -> [UInt8],
        change: @escaping @Sendable (Int, inout OriginResponse) -> Void = { _, _ in }
    ) {
        origin.route("/data.bin") { [seen] request, number in
            seen.add(request)
            var answer = OriginResponse.resource(
                .bytes(body(number)),
                for: request,
                etag: etag(number),
                lastModified: date
            )
            if date != nil { answer.headers.append(HeaderField("Date", "Mon, 07 Nov 1994 08:49:37 GMT")) }
            if number <= cuts.count, let cut = cuts[number - 1] { answer.fault = .close(after: cut) }
            change(number, &answer)
            return answer
        }
    }

    private func serve(cuts: [Int?]) { serve(cuts: cuts) { [old] _ in old } }

    private func finish(
        _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> (
        [PipelineEvent], PipelineHarness
    ) {
        let harness = try PipelineHarness(saves: true, configure)
        harness.submit(origin.url("/data.bin"))
        return (try harness.finish(), harness)
    }

    func progress(_ events: [PipelineEvent]) -> [Int] {
        events.compactMap { if case .taskProgress(_, let received, _) = $0.kind { received } else { nil } }
    }

    @Test func aContinuedFileHasTheDateOfTheBody() throws {
        serve(cuts: [300_000], date: Self.date) { [old] _ in old }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(try modified(in: harness) == 784_111_777)
    }

    /// An answer to `If-Range` leaves out what the first one said.
    @Test func aContinuedBodyIsStoredAsTheWhole() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number == 1 { answer.headers.append(HeaderField("Cache-Control", "max-age=100")) }
        }
        let cache = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: cache.path + "/cache")
        for number in 1...2 {
            harness.submit(origin.url("/data.bin"))
            #expect(harness.wait { $0.taskEnds.count == number })
        }
        #expect(try harness.finish().taskEnds.map(\.source) == [.network, .disk])
        #expect(ranges.count == 2)
    }

    /// A tag tells versions of one resource apart.
    @Test(arguments: [false, true]) func whatAnotherResourceSendsIsNotAppended(isOther: Bool) throws {
        serve(cuts: [300_000]) { [old, new] number in isOther && number > 1 ? new : old }
        let mirror = try Origin()
        mirror.route("/data.bin") { [new] request, _ in
            .resource(.bytes(new), for: request, etag: "\"v1\"", lastModified: nil)
        }
        let targets = [
            origin.url("/data.bin?sign=1"), isOther ? mirror.url("/data.bin") : origin.url("/data.bin?sign=2"),
        ]
        origin.route("/f") { _, number in .redirect(to: targets[min(number, 2) - 1]) }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/f"))
        try harness.finish()
        #expect(harness.directory.contents(of: "f") == (isOther ? new : old))
        #expect(ranges == (isOther ? [nil] : [nil, "bytes=300000-"]))
    }

    /// It says nothing of where the bytes came from.
    @Test(arguments: [503, 429]) func anErrorInPlaceOfARedirectKeepsThePart(status: Int) throws {
        serve(cuts: [300_000])
        let target = origin.url("/data.bin")
        origin.route("/f") { _, number in number == 2 ? OriginResponse(status) : .redirect(to: target) }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/f"))
        try harness.finish()
        #expect(origin.log.hits("/f") == 3 && ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.contents(of: "f") == old)
    }

    @Test(arguments: [20, 60, 300, 511]) func aFewBytesOfAnImageAreContinuedAndItsKindIsKnown(cut: Int) throws {
        let image = Picture.png(width: 200, height: 200)
        serve(cuts: [cut], body: { _ in image }) { _, answer in
            answer.headers.append(HeaderField("Content-Type", "image/png"))
        }
        let (events, harness) = try finish { $0.settings.decode = .always }
        #expect(ranges == [nil, "bytes=\(cut)-"])
        #expect(harness.directory.contents(of: "data.bin") == image)
        #expect(events.taskEnds.map(\.image?.width) == [200])
    }

    @Test func aFewBytesWithoutATagStartOver() throws {
        serve(cuts: [300], etag: { _ in nil }, date: Self.date) { [old] _ in old }
        let (_, harness) = try finish()
        #expect(ranges == [nil, nil])
        #expect(harness.directory.names == ["data.bin"])
    }

    @Test func aTruncatedBodyIsContinuedWhereItEnded() throws {
        serve(cuts: [300_000])
        let (events, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(seen.requests[1].header("if-range") == "\"v1\"")
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == old)
        let end = try #require(events.taskEnds.first)
        #expect((end.outcome, end.bytes, end.status) == (.success, Self.size, 206))
        let resumed = try #require(
            events.firstIndex { if case .taskChanged(let change) = $0.kind { change.phase == .resumed } else { false } }
        )
        #expect(progress(Array(events[resumed...])).first == 300_000)
        #expect(progress(events).last == Self.size)
        guard case .sessionEnded(let counts)? = events.last?.kind else { return }
        #expect(counts.bytes == Self.size, "nothing came twice")
    }

    @Test func attemptsThatBringEnoughDoNotCount() throws {
        serve(cuts: Array(repeating: 100_000, count: 9))
        let (events, harness) = try finish { $0.settings.retries = 1 }
        #expect(ranges.count == 10)
        #expect(harness.directory.contents(of: "data.bin") == old)
        #expect(events.taskEnds.map(\.outcome) == [.success])
    }

    @Test(arguments: [nil, "W/\"v1\""])
    func withoutAStrongValidatorItStartsOver(etag: String?) throws {
        serve(cuts: [300_000], etag: { _ in etag }, date: etag == nil ? nil : Self.date) { [old] _ in old }
        let (_, harness) = try finish()
        #expect(ranges == [nil, nil])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func aChangedEntityStartsOverWithinTheAnswer() throws {
        serve(cuts: [300_000], etag: { "\"v\($0)\"" }) { [old, new] number in number == 1 ? old : new }
        let (events, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-"])
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == new)
        #expect(events.taskEnds.first?.status == 200)
    }

    @Test func aServerThatIgnoresTheConditionCanNotSpliceTwoVersions() throws {
        serve(cuts: [300_000], etag: { "\"v\($0)\"" }, body: { [old, new] number in number == 1 ? old : new }) {
            [new] number, answer in
            guard number == 2 else { return }
            answer.status = 206
            answer.headers.append(HeaderField("Content-Range", "bytes 300000-999999/1000000"))
            answer.body = .bytes(Array(new[300_000...]))
        }
        let (events, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", nil])
        #expect(harness.directory.contents(of: "data.bin") == new)
        #expect(events.changes(.waiting).count == 2)
        #expect(events.taskEnds.map(\.outcome) == [.success])
    }

    @Test(arguments: [
        "bytes 0-999999/1000000", "bytes 299999-999999/1000000", "bytes 300000-999999/1000001", "nonsense", nil,
    ])
    func aPartThatDoesNotFitIsAskedForOnceMoreAsAWhole(range: String?) throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            guard number == 2 else { return }
            answer.headers.removeAll { $0.name == "Content-Range" }
            if let range { answer.headers.append(HeaderField("Content-Range", range)) }
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", nil])
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func aServerThatNeverFitsIsNotAskedForRangesAgain() throws {
        serve(cuts: [300_000, nil, 300_000, nil], body: { [old] _ in old }) { number, answer in
            if answer.status == 206 { answer.headers.removeAll { $0.name == "Content-Range" } }
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", nil, nil])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func onlyAPartOfTheRestIsTakenAndTheRestIsAskedFor() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { [old] number, answer in
            guard number == 2 else { return }
            answer.headers = [
                HeaderField("ETag", "\"v1\""), HeaderField("Content-Range", "bytes 300000-399999/1000000"),
            ]
            answer.body = .bytes(Array(old[300_000..<400_000]))
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", "bytes=400000-"])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func aPartThatHasGrownTooLongIsNeverTaken() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { [old, new] number, answer in
            guard number == 2 else { return }
            answer.body = .bytes(Array(old[300_000...]) + new.prefix(50_000))
            answer.framing = .chunked()
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", nil])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test(arguments: [304, 412, 416, 501])
    func anAnswerWithoutBytesStartsOver(status: Int) throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number == 2 {
                answer = OriginResponse(status, headers: [HeaderField("Content-Range", "bytes */1000000")])
            }
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", nil])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func anErrorPageInBetweenKeepsThePart() throws {
        serve(cuts: [300_000], body: { [old] _ in old }) { number, answer in
            if number == 2 { answer = OriginResponse(503, body: .bytes(Array("busy".utf8))) }
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=300000-", "bytes=300000-"])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func aPausedTaskGoesOnWhereItWas() throws {
        serve(cuts: [], body: { [old] _ in old }) { number, answer in
            if number == 1 { answer.fault = .stall(after: 600_000) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        harness.submit(origin.url("/data.bin"))
        #expect(harness.wait { progress($0).contains(600_000) })
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        harness.pipeline.send(.steer(.resume, .task(TaskID(1))))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=600000-"])
        #expect(harness.directory.contents(of: "data.bin") == old)
        #expect(events.receiptEnds.map(\.outcome) == [.success, .success])
        #expect(Set(events.receiptEnds.map(\.file)).count == 1)
    }

    @Test func aPartThatSomebodyReplacedIsNotPublished() throws {
        origin.hold()
        serve(cuts: [], body: { [old] _ in old }) { _, answer in
            // Long enough for the part to be replaced meanwhile, whatever else the machine does.
            answer.bytesPerSecond = 300_000
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 0 }
        harness.submit(origin.url("/data.bin"))
        origin.release()
        #expect(harness.wait { progress($0).contains { $0 > 0 } })
        let part = harness.directory.path + "/data.bin.part"
        FileTree.remove(part)
        #expect(FileTree.write("evil", to: part))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.error?.code) == [.ioError])
        #expect(!harness.directory.names.contains("data.bin"))
    }

    @Test func anAbortedTaskIsContinuedByTheNextRequest() throws {
        serve(cuts: [], etag: { _ in nil }, date: Self.date, body: { [old] _ in old }) { number, answer in
            if number == 1 { answer.fault = .stall(after: 600_000) }
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        #expect(harness.wait { progress($0).contains(600_000) })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=583616-"], "a date alone is proved by the bytes before the cut")
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == old)
        #expect(events.taskEnds.map(\.outcome) == [.cancelled, .success])
    }

    @Test func aChangeThatKeepsDateAndLengthIsNoticed() throws {
        serve(cuts: [600_000], etag: { _ in nil }, date: Self.date) { [old, new] number in number == 1 ? old : new }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=583616-", nil])
        #expect(harness.directory.contents(of: "data.bin") == new)
    }

    @Test func aPartOfUnknownLengthThatIsWholeEndsWithTheRefusalOfMore() throws {
        // The last chunk's end is missing, so nobody knows that this was all.
        serve(cuts: [], body: { [old] _ in old }) { number, answer in
            guard number == 1 else { return }
            answer.framing = .chunked()
            answer.fault = .close(after: .max)
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, "bytes=1000000-"])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test(arguments: 0..<4)
    func anotherURLGoesOnWithThePartOfAnExpiredOne(kind: Int) throws {
        let answer: Origin.Script = { [seen, old] request, number in
            seen.add(request)
            var answer = OriginResponse.resource(.bytes(old), for: request, etag: "\"same\"")
            if request.target.contains("token=1") {
                answer = number == 1 ? answer : OriginResponse(403)
                answer.fault = number == 1 ? .close(after: 300_000) : nil
            }
            return answer
        }
        origin.route("/data.bin", answer)
        let filter = kind == 1 ? ["token"] : []
        let harness = try PipelineHarness(saves: true) { $0.settings.keyFilter = filter }
        let options: RequestOptions =
            switch kind {
            case 2: RequestOptions(sha256: sha256(old))
            case 3: RequestOptions(headers: [HeaderField("X-Own", "1")])
            default: .standard
            }
        harness.submit(origin.url("/data.bin?token=1"), options: options)
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.pipeline.send(.replaceURL(TaskID(1), origin.url("/data.bin?token=2")))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=300000-", "bytes=300000-"])
        #expect(events.taskEnds.map(\.outcome) == [.failed, .success])
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func anEncodedBodyStartsOver() throws {
        serve(cuts: [100_000], body: { [old] _ in old }) { number, answer in
            answer.encoding = .gzip
            if number == 1 { answer.fault = .close(after: 2_000) }
        }
        let (_, harness) = try finish()
        #expect(ranges == [nil, nil])
        #expect(harness.directory.contents(of: "data.bin") == old)
    }

    @Test func anImageInTwoPartsIsDecodedAsOne() throws {
        let image = Picture.png(width: 400, height: 300)
        origin.route("/photo.png") { [seen] request, number in
            seen.add(request)
            var answer = OriginResponse.resource(.bytes(image), for: request, type: "image/png", etag: "\"p\"")
            if number == 1 { answer.fault = .close(after: image.count / 2) }
            return answer
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/photo.png"))
        let events = try harness.finish()
        #expect(ranges == [nil, "bytes=\(image.count / 2)-"])
        #expect(harness.directory.contents(of: "photo.png") == image)
        #expect(events.taskEnds.first?.image == ImageInfo(format: .png, width: 400, height: 300))
    }
}

/// The requests that came, in their order.
private final class Seen: Sendable {
    private let contents = Locked<[OriginRequest]>([])
    var requests: [OriginRequest] { contents.withLock { $0 } }
    func add(_ request: OriginRequest) { contents.withLock { $0.append(request) } }
}
