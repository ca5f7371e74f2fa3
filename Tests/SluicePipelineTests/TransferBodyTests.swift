import SluiceCore
import SluiceStore
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// Bodies that somebody wants saved who came late.
struct TransferBodyTests {
    private let directory: TemporaryDirectory
    private let store: DirectoryStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try DirectoryStore(directory: directory.path) {}
    }

    private func body(decodes: Bool, _ change: (inout TransferBody.Wishes) -> Void = { _ in }) -> TransferBody {
        var wishes = TransferBody.Wishes.plain(memoryLimit: 2_000)
        (wishes.url, wishes.decodes) = ("http://test/a.png", decodes)
        wishes.storeLimit = 2_000
        if !decodes { wishes.cacheRequest = CacheRequest(url: "http://test/a.png", fields: []) }
        change(&wishes)
        return TransferBody(wishes, files: store)
    }

    private func begin(_ body: TransferBody, _ count: Int?) throws {
        var head = ResponseHead.Content(status: 200, finalURL: "http://test/a.png")
        head.fields = [HeaderField("Cache-Control", "max-age=100")]
        head.expected = count
        try body.begin(ResponseHead(head))
    }

    private func write(_ bytes: ArraySlice<UInt8>, to body: TransferBody) throws {
        let chunk = Array(bytes)
        #expect(try body.write(chunk.span, received: body.count + chunk.count) == .taken)
    }

    @Test(arguments: [404, 503]) func ofARefusedAnswerItsStartIsEnough(status: Int) throws {
        let body = body(decodes: false)
        try body.begin(ResponseHead(ResponseHead.Content(status: status, finalURL: "http://test/a.png")))
        let page = [UInt8](repeating: UInt8(ascii: "x"), count: TransferBody.refusedLimit)
        // From its first byte: no slot waits for one that trickles.
        for chunk in [page[...0], page[1...], page[...0]].map(Array.init) {
            #expect(try body.write(chunk.span, received: body.count + chunk.count) == .enough)
        }
        let error = #expect(throws: DownloadError.self) { try body.complete() }
        #expect(error?.status == status && error?.body?.utf8.count == page.count)
    }

    /// What comes packed has another size than is announced.
    @Test(arguments: [false, true]) func theSizeThatIsAnnouncedIsEnough(isEncoded: Bool) throws {
        let body = body(decodes: false) { $0.maxFileSize = 1_000 }
        var head = ResponseHead.Content(status: 200, finalURL: "http://test/a.png")
        (head.expected, head.isEncoded) = (5_000, isEncoded)
        let error = #expect(throws: DownloadError.self) { try body.begin(ResponseHead(head)) }
        #expect(error?.limit == DownloadError.Limit(.maxFileSize, needed: isEncoded ? nil : 5_000))
    }

    /// No number is enough for what the setting can't have.
    @Test(arguments: [(40_000, 30_000), (2_000_000, 2_000_000), (Int.max, 2)])
    func onlyWhatMaxPixelsCanHaveIsToBeRaised(width: Int, height: Int) {
        let body = body(decodes: false) { $0.maxPixels = 1_000 }
        body.info = ImageInfo(format: .png, width: width, height: height)
        let error = #expect(throws: DownloadError.self) { try body.judgeDimensions() }
        let isPossible = width == 40_000
        #expect(error?.limit == (isPossible ? DownloadError.Limit(.maxPixels, needed: 1_200_000_000) : nil))
        #expect(error?.message.hasSuffix(isPossible ? "raise it" : "more than any maxPixels allows") == true)
    }

    /// What memory would not take is no cause to fail, nor to end without a file.
    @Test(arguments: [true, false]) func aBodyInMemoryGoesToAFileOnceItIsWanted(decodes: Bool) throws {
        let image = Picture.png(width: 40, height: 30)
        let bytes = image + [UInt8](repeating: 0, count: 6_000)
        let body = body(decodes: decodes)
        try begin(body, decodes ? bytes.count : nil)
        try write(bytes[..<1_000], to: body)
        #expect(body.file == nil && body.isDecided)
        #expect(body.savesAfterAll("x.png"))
        try write(bytes[1_000..<3_000], to: body)
        try write(bytes[3_000...], to: body)
        #expect(try body.complete())
        let file = try #require(body.file)
        let saved = try store.publish(file, as: .final, lastModified: nil)
        #expect(saved.size == bytes.count && directory.contents(of: "x.png") == bytes)
    }

    @Test func withoutSuchAWishItIsTooLarge() throws {
        let bytes = Picture.png(width: 40, height: 30) + [UInt8](repeating: 0, count: 6_000)
        let body = body(decodes: true)
        try begin(body, bytes.count)
        try write(bytes[..<1_000], to: body)
        #expect(throws: DownloadError.self) { try write(bytes[1_000...], to: body) }
    }

    @Test func whatIsSkippedIsSavedForWhoComesWithAFreeName() throws {
        #expect(FileTree.write("mine", to: directory.path + "/a.png"))
        let image = Picture.png(width: 40, height: 30) + [UInt8](repeating: 0, count: 6_000)
        let body = body(decodes: true) { ($0.saves, $0.onExists, $0.memoryLimit) = (true, .skip, 100_000) }
        try begin(body, image.count)
        try write(image[..<600], to: body)
        #expect(body.hasSkipped && body.skipped == [nil])
        #expect(body.savesAfterAll(nil) && body.hasSkipped, "its name is taken, too")
        #expect(body.savesAfterAll("x.png") && !body.hasSkipped)
        try write(image[600...], to: body)
        #expect(try body.complete())
        _ = try store.publish(try #require(body.file), as: .final, lastModified: nil)
        #expect(directory.contents(of: "x.png") == image && directory.contents(of: "a.png") == Array("mine".utf8))
    }

    /// However many they are: the stack has room for none of them.
    @Test func theFirstNameThatIsFreeIsFoundBehindManyThatAreTaken() throws {
        let store = TakenNames(free: "50000")
        var wishes = TransferBody.Wishes.plain(memoryLimit: 2_000)
        (wishes.url, wishes.saves, wishes.onExists) = ("http://test/a.bin", true, .skip)
        wishes.otherNames = (0...60_000).map { "\($0)" }
        let body = TransferBody(wishes, files: store)
        try begin(body, 600_000)
        try write([UInt8](repeating: 1, count: 2_000)[...], to: body)
        #expect(body.file == FileID(1) && body.skipped.count == 50_001)
    }
}
