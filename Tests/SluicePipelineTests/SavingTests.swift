import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Files, from the socket to their names.
@Suite(.timeLimit(.minutes(5)))
struct SavingTests {
    let origin: Origin

    init() throws { origin = try Origin() }

    @Test(arguments: [0, 1, 511, 512, 20_480, 262_144, 262_145, 3_000_000])
    func everySizeIsSavedWhole(size: Int) throws {
        origin.route("/data.bin", OriginResponse(body: .pattern(count: size)))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == pattern(size))
        #expect(events.taskEnds.first?.bytes == size)
        #expect(events.receiptEnds.first?.file == harness.directory.path + "/data.bin")
    }

    @Test func chunkedAndEncodedBodiesAreSavedDecoded() throws {
        origin.route("/chunked.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 700_000))
            answer.framing = .chunked(size: 9000)
            return answer
        }
        origin.route("/zipped.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 700_000))
            answer.encoding = .gzip
            return answer
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/chunked.bin"), origin.url("/zipped.bin"))
        try harness.finish()
        let expected = pattern(700_000)
        #expect(harness.directory.contents(of: "chunked.bin") == expected)
        #expect(harness.directory.contents(of: "zipped.bin") == expected)
    }

    @Test func aCopyOfAnEarlierSaveIsAnAnswerFromDisk() throws {
        let image = Picture.png(width: 40, height: 30)
        origin.route("/a.png", .bytes(image, type: "image/png"))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(destination: "copy.png"))
        let events = try harness.finish()
        #expect(origin.log.requests.count == 1)
        #expect(harness.directory.contents(of: "copy.png") == image)
        #expect(events.submissions.last?.source == .disk)
        let answer = try #require(events.responses.last)
        #expect(events.responses.count == 2 && answer.source == .disk)
        #expect(answer.head.status == 200 && answer.head.expected == image.count && answer.head.fields.isEmpty)
        #expect(events.taskEnds.last?.source == .disk && events.taskEnds.last?.status == 200)
    }

    @Test func whoWantsAFileJoinsAPrefetch() throws {
        let image = Picture.png(width: 40, height: 30)
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
        let harness = try PipelineHarness(saves: true)
        origin.hold()
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a.png"))]))
        #expect(origin.waitUntil { $0.held == 1 })
        harness.submit(origin.url("/a.png"))
        #expect(harness.wait { $0.submissions.count == 2 })
        origin.release()
        let events = try harness.finish()
        #expect(origin.log.requests.count == 1)
        #expect(events.changes(.waiting).isEmpty)
        #expect(harness.directory.contents(of: "a.png") == image)
        #expect(events.receiptEnds.last?.file == harness.directory.path + "/a.png")
    }

    @Test func whoWantsAFileJoinsABodyThatIsKeptForTheCache() throws {
        origin.route("/a.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 400_000))
            answer.headers.append(HeaderField("Cache-Control", "max-age=99"))
            return answer
        }
        let folder = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: folder.path) { $0.settings.limitRate = 100_000 }
        harness.submit(origin.url("/a.bin"), options: RequestOptions(saves: false))
        #expect(
            harness.wait { events in
                events.contains { if case .taskProgress(_, 1..., _) = $0.kind { true } else { false } }
            }
        )
        harness.submit(origin.url("/a.bin"))
        try harness.set("limitRate", "0")
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .joined])
        #expect(origin.log.requests.count == 1)
        #expect(harness.directory.contents(of: "a.bin") == pattern(400_000))
        #expect(events.httpCache(.stored).map(\.bytes) == [400_000])
    }

    @Test func whatAPauseStopsIsSaidFirst() throws {
        origin.route("/a.bin", OriginResponse(body: .pattern(count: 4_000_000)))
        let harness = try PipelineHarness(saves: true) { $0.settings.limitRate = 400_000 }
        harness.submit(origin.url("/a.bin"))
        #expect(
            harness.wait { events in
                events.contains { if case .taskProgress(_, 1..., _) = $0.kind { true } else { false } }
            }
        )
        harness.pipeline.send(.steer(.pause, .task(TaskID(1))))
        #expect(harness.wait { $0.changes(.suspended).count == 1 })
        let size = harness.directory.contents(of: "a.bin.part")?.count ?? 0
        let last = harness.events.compactMap { if case .taskProgress(_, let count, _) = $0.kind { count } else { nil } }
        #expect(last.last ?? 0 >= size, "what is in the part was told")
        try harness.shutDown()
    }

    @Test func whatIsTooLargeLeavesNothing() throws {
        origin.route("/a.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 3_000_000))
            answer.framing = .chunked()
            return answer
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.maxFileSize = 1_000_000 }
        harness.submit(origin.url("/a.bin"))
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.code } == [.tooLarge])
        #expect(harness.directory.names == [])
    }

    /// 100 times its size is too much of an image, and 1000 times of a file, whichever field says that it is packed.
    @Test(
        arguments: ["Content-Encoding: zstd\r\nTransfer-Encoding: chunked", "Transfer-Encoding: zstd, chunked"],
        [true, false]
    ) func whatUnpacksToTooMuchLeavesNothing(fields: String, isImage: Bool) throws {
        // A frame of zstd that holds its start as it is, and then, 100 times, 128 KiB of zeros and 256 bytes: 499 to 1.
        let start: [UInt8] = isImage ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : Array("no image".utf8)
        let blocks: [UInt8] = [0x02, 0x00, 0x10, 0x00, 0x00, 0x08, 0x00] + [UInt8](repeating: 0x61, count: 256)
        var body: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38, 0x40, 0x00, 0x00] + start
        for _ in 0..<100 { body += blocks }
        body += [0x01, 0x00, 0x00]
        let head = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(String(body.count, radix: 16))\r\n"
        var answer = OriginResponse()
        answer.fault = .raw(Array(head.utf8) + body + Array("\r\n0\r\n\r\n".utf8))
        origin.route("/packed", answer)
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/packed"))
        let events = try harness.finish()
        let expected: DownloadError.Code? = isImage ? .tooLarge : nil
        #expect(events.taskEnds.map { $0.error?.code } == [expected])
        #expect(harness.directory.names == (isImage ? [] : ["packed"]))
    }

    @Test(arguments: ["<!-- x -->", "<?xml version='1.0'?>", "<!doctype svg>"])
    func aTextBehindManyBlanksIsSavedAsItIs(text: String) throws {
        let body = [UInt8](repeating: 0x20, count: 1100) + Array(text.utf8)
        origin.route("/a.txt", .bytes(body, type: "text/plain"))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/a.txt"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success])
        #expect(harness.directory.contents(of: "a.txt") == body)
    }

    @Test func oneURLIsOneFileHoweverManyReceipts() throws {
        origin.route("/a.txt", .text("once"))
        let harness = try PipelineHarness(saves: true)
        origin.hold()
        for _ in 0..<10 { harness.submit(origin.url("/a.txt")) }
        #expect(harness.wait { $0.submissions.count == 10 })
        origin.release()
        let events = try harness.finish()
        #expect(harness.directory.names == ["a.txt"])
        #expect(Set(events.receiptEnds.map(\.file)).count == 1)
    }

    /// The origin never sends the rest: whoever waits for it fails.
    @Test(arguments: [true, false]) func aLargeBodyThatIsSkippedIsNotFetchedToItsEnd(isAnnounced: Bool) throws {
        origin.route("/data.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 4_000_000))
            answer.headers.append(HeaderField("Cache-Control", "max-age=60"))
            if !isAnnounced { answer.framing = .chunked() }
            answer.fault = .stall(after: isAnnounced ? 100_000 : 1_500_000)
            return answer
        }
        let folder = try TemporaryDirectory()
        let harness = try PipelineHarness(saves: true, cache: folder.path) { $0.settings.onExists = .skip }
        #expect(FileTree.write("mine", to: harness.directory.path + "/data.bin"))
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success] && events.taskEnds.first?.file == nil)
        #expect(events.warnings == [.skipped])
        #expect(events.httpCache(.skipped).map(\.why) == [.notFetched])
        #expect(harness.directory.names == ["data.bin"])
        #expect(harness.directory.contents(of: "data.bin") == Array("mine".utf8))
    }

    @Test(arguments: ["max-age=60", "no-cache"])
    func aLargeStoredBodyThatIsSkippedIsNoFailure(cacheControl: String) throws {
        origin.route("/data.bin") { request, _ in
            var answer = OriginResponse(body: .pattern(count: 3_000_000))
            if request.header("if-none-match") != nil { answer = OriginResponse(304) }
            answer.headers += [HeaderField("Cache-Control", cacheControl), HeaderField("ETag", "\"a\"")]
            return answer
        }
        let folder = try TemporaryDirectory()
        let first = try PipelineHarness(saves: true, cache: folder.path)
        first.submit(origin.url("/data.bin"))
        #expect(try first.finish().httpCache(.stored).count == 1)
        let harness = try PipelineHarness(saves: true, cache: folder.path) { $0.settings.onExists = .skip }
        #expect(FileTree.write("mine", to: harness.directory.path + "/data.bin"))
        harness.submit(origin.url("/data.bin"))
        let events = try harness.finish()
        #expect(events.taskEnds.map(\.outcome) == [.success] && events.taskEnds.first?.file == nil)
        #expect(events.taskEnds.map(\.source) == [cacheControl == "no-cache" ? .revalidated : .disk])
        #expect(events.warnings == [.skipped])
        #expect(harness.directory.contents(of: "data.bin") == Array("mine".utf8))
    }

    @Test func twoURLsWithOneNameGetTwoFiles() throws {
        origin.route("/x/a.txt", .text("x"))
        origin.route("/y/a.txt", .text("y"))
        let harness = try PipelineHarness(saves: true) { $0.settings.maxActive = 1 }
        harness.submit(origin.url("/x/a.txt"), origin.url("/y/a.txt"))
        try harness.finish()
        #expect(harness.directory.names == ["a.1.txt", "a.txt"])
    }

    /// What nobody can tell from another version is of no use to anybody; the rest is, as long as it is remembered.
    @Test(arguments: [true, false]) func aFailedTransferLeavesOnlyWhatCanBeContinued(hasTag: Bool) throws {
        origin.route("/cut.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 100_000))
            if hasTag { answer.headers.append(HeaderField("ETag", "\"a\"")) }
            answer.fault = .close(after: 5000)
            return answer
        }
        let harness = try PipelineHarness(saves: true) { $0.settings.retries = 0 }
        harness.submit(origin.url("/cut.bin"))
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        #expect(harness.directory.names == (hasTag ? ["cut.bin.part"] : []))
        let events = try harness.finish()
        #expect(harness.directory.names == [])
        #expect(events.taskEnds.first?.error?.code == .truncated)
        #expect(events.taskEnds.first?.file == nil)
    }

    @Test func whatNobodyWouldKnowOfIsNotLeft() throws {
        origin.route("/slow.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 400_000))
            answer.fault = .stall(after: 100_000)
            return answer
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/slow.bin"))
        #expect(harness.wait { $0.contains { if case .taskProgress(_, 100_000, _) = $0.kind { true } else { false } } })
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        try harness.finish()
        #expect(harness.directory.names == [])
    }

    @Test(arguments: ["image/jpeg", "image/x-own"])
    func whatCallsItselfAnImageAndIsNoneIsKeptAsBadWhereOnlyImagesAreWanted(type: String) throws {
        origin.route("/photo.jpg", .text("no image", type: type))
        origin.route("/large.jpg", .bytes(Array(repeating: 65, count: 4_000_000), type: type))
        let harness = try PipelineHarness(saves: true) { $0.settings.acceptOnly = .image }
        harness.submit(origin.url("/photo.jpg"), origin.url("/large.jpg"))
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.code } == [.badImage, .badImage])
        #expect(harness.directory.contents(of: "photo.jpg.bad") == Array("no image".utf8))
        #expect(harness.directory.names == ["large.jpg.bad", "photo.jpg.bad"])
        #expect(events.taskEnds.allSatisfy { $0.bytes < 2_000_000 })
    }

    /// Nothing more is waited for: its origin sends no more, and says that much is to come.
    @Test func whatIsKnownToBeNoImageEndsAtOnceAndIsKept() throws {
        let page = Array("<html>".utf8) + Array(repeating: 65, count: 100_000)
        var answer = OriginResponse.bytes(page, type: "image/png")
        answer.fault = .stall(after: 20)
        origin.route("/photo.png", answer)
        let harness = try PipelineHarness(saves: true) { $0.settings.acceptOnly = .image }
        harness.submit(origin.url("/photo.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        let events = try harness.finish()
        #expect(events.taskEnds.map { $0.error?.code } == [.badImage])
        #expect(events.taskEnds.map(\.bytes) == [20])
        #expect(harness.directory.names == ["photo.png.html.bad"])
        #expect(harness.directory.contents(of: "photo.png.html.bad") == Array(page.prefix(20)))
    }

    @Test func aNewerBodyThatIsNotDecodedTakesTheImageOfTheOlderAway() throws {
        origin.route("/a.png") { _, number in
            .bytes(Picture.png(width: 10 + number, height: 10), type: "image/png")
        }
        let harness = try PipelineHarness(saves: true)
        harness.pipeline.send(.prefetch([DownloadRequest(origin.url("/a.png"))]))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/a.png"), options: RequestOptions(policy: .reload))
        #expect(harness.wait { $0.taskEnds.count == 2 })
        let thumbnail = ThumbnailSize(width: 5, height: 5)
        harness.submit(origin.url("/a.png"), options: RequestOptions(saves: false, thumbnail: thumbnail))
        let events = try harness.finish()
        #expect(events.submissions.map(\.outcome) == [.started, .started, .started])
        let changes = events.compactMap { event -> String? in
            if case .cacheChanged(let change) = event.kind { "\(change.verb) \(change.cost)" } else { nil }
        }
        #expect(changes.prefix(2) == ["added 440", "removed 440"])
    }

    @Test func aCorruptImageIsKeptAsBad() throws {
        let image = Picture.png(width: 60, height: 60)
        origin.route("/photo.png", .bytes(Array(image.prefix(image.count / 2)), type: "image/png"))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/photo.png"))
        let events = try harness.finish()
        #expect(events.taskEnds.first?.error?.code == .badImage)
        #expect(harness.directory.names == ["photo.png.bad"])
    }

    @Test(arguments: [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0x72, count: 900),
        [0xFF, 0xD8, 0xFF, 0xE0] + Array(" this is text".utf8), Array("GIF89a".utf8),
    ]) func aBrokenHeaderIsSeenWithoutDecoding(body: [UInt8]) throws {
        let type = body[0] == 0x89 ? "image/png" : body[0] == 0xFF ? "image/jpeg" : "image/gif"
        origin.route("/photo", .bytes(body, type: type))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .never }
        harness.submit(origin.url("/photo"))
        let events = try harness.finish()
        #expect(events.taskEnds.first?.error?.code == .badImage)
        #expect(harness.directory.names == ["photo.bad"])
    }

    @Test func aLoginPageUnderAnImagesNameSaysSo() throws {
        origin.route("/photo.jpg", .text("<!DOCTYPE html><html><body>Log in</body></html>", type: "text/html"))
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/photo.jpg"))
        let events = try harness.finish()
        #expect(harness.directory.names == ["photo.jpg.html"])
        #expect(events.contains { if case .warning = $0.kind { true } else { false } })
    }

    @Test(arguments: [
        ("<p>Log in</p>", "text/html", true), ("<!-- x --><div>", "Text/HTML; charset=utf-8", true),
        ("please log in", "application/xhtml+xml", true), ("<p>Log in</p>", "text/plain", false),
        ("\u{0}\u{1}", "text/html", false), ("<svg xmlns=''></svg>", "text/html", false),
    ])
    func whatIsSentAsAPageIsOneIfItIsText(body: String, type: String, isPage: Bool) throws {
        origin.route("/photo.jpg", .text(body, type: type))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .never }
        harness.submit(origin.url("/photo.jpg"))
        try harness.finish()
        #expect(harness.directory.names == [isPage ? "photo.jpg.html" : "photo.jpg"])
    }

    @Test func aDecodedImageIsSavedAndCached() throws {
        let image = Picture.png(width: 60, height: 40)
        origin.route("/photo.png", .bytes(image, type: "image/png"))
        let harness = try PipelineHarness(saves: true) { $0.settings.decode = .always }
        harness.submit(origin.url("/photo.png"))
        #expect(harness.wait { $0.taskEnds.count == 1 })
        harness.submit(origin.url("/photo.png"))
        harness.submit(origin.url("/photo.png"), options: RequestOptions(destination: "copies/other.png"))
        let events = try harness.finish()
        #expect(events.submissions.map(\.source) == [nil, .memory, .disk])
        #expect(harness.directory.contents(of: "photo.png") == image)
        #expect(harness.directory.contents(of: "copies/other.png") == image)
        #expect(origin.log.requests.count == 1)
        #expect(events.taskEnds.first?.image == ImageInfo(format: .png, width: 60, height: 40))
    }

    @Test func anAbortKeepsThePartAndFreesTheName() throws {
        origin.route("/slow.bin") { _, _ in
            var answer = OriginResponse(headers: [HeaderField("ETag", "\"a\"")], body: .pattern(count: 2_000_000))
            answer.fault = .stall(after: 600_000)
            return answer
        }
        let harness = try PipelineHarness(saves: true)
        harness.submit(origin.url("/slow.bin"))
        #expect(
            harness.wait { events in
                events.contains { if case .taskProgress(_, 600_000, _) = $0.kind { true } else { false } }
            }
        )
        harness.pipeline.send(.steer(.abort, .task(TaskID(1))))
        #expect(origin.waitUntil { $0.closes("/slow.bin").count == 1 })
        #expect(harness.wait { !$0.taskEnds.isEmpty })
        #expect(harness.directory.names == ["slow.bin.part"])
        let events = try harness.finish()
        #expect(events.receiptEnds.map(\.outcome) == [.cancelled])
    }
}
