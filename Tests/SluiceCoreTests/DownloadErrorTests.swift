import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What an error carries beside its words.
struct DownloadErrorTests {
    @Test func limitsAreSettingsByTheirNames() {
        for setting in DownloadError.Limit.Setting.allCases { #expect(Settings.names.contains(setting.rawValue)) }
    }

    @Test(arguments: [(1, true), (1_000_000_000_000, true), (1_000_000_000_001, false), (0, false), (-1, false)])
    func onlyWhatASettingCanHaveIsNeeded(number: Int, isKept: Bool) {
        #expect(DownloadError.Limit(.maxPixels, needed: number).needed == (isKept ? number : nil))
    }

    @Test func whatNoSettingAllowsIsNoLimitToRaise() {
        let limit = DownloadError.Limit(.maxPixels, needed: 7)
        #expect(DownloadError.Limit.raising(.maxPixels, to: 7) == limit)
        #expect(DownloadError.Limit.raising(.maxPixels, to: 4_000_000_000_000) == nil)
        #expect(DownloadError.Limit.raising(.maxPixels, to: nil) == nil)
    }

    @Test func theLimitStaysWithoutTheBody() {
        let limit = DownloadError.Limit(.maxPixels, needed: 7)
        let error = DownloadError(.tooLarge, "no", body: "<html>", limit: limit)
        #expect(error.withoutBody.limit == limit && error.withoutBody.body == nil)
        #expect(error.withoutBody == DownloadError(.tooLarge, "no", limit: limit))
        #expect(error.withoutBody != DownloadError(.tooLarge, "no"))
    }

    /// Lists keep thousands of them.
    @Test func anErrorIsSmall() {
        #expect(MemoryLayout<DownloadError>.stride == 80)
    }

    @Test func theLimitIsWritten() throws {
        #expect(try written(DownloadError.Limit(.maxFileSize))?["setting"] == .string("maxFileSize"))
        #expect(try written(DownloadError.Limit(.maxFileSize))?["needed"] == nil)
        #expect(try written(DownloadError.Limit(.maxPixels, needed: 70))?["needed"] == .integer(70))
        #expect(try written(nil) == nil)
    }

    @Test func theLimitIsReadBack() throws {
        let pixels = DownloadError.Limit(.maxPixels, needed: 70)
        #expect(try read(#""limit":{"setting":"maxPixels","needed":70}"#) == pixels)
        #expect(try read(#""limit":{"setting":"maxFileSize"}"#) == DownloadError.Limit(.maxFileSize))
        #expect(try read(#""limit":{"setting":"maxWarp","needed":70}"#) == nil, "of a later Sluice")
        #expect(try read(#""status":200"#) == nil, "of an earlier one")
        #expect(throws: EventDecodingError.self) { try read(#""limit":{"needed":70}"#) }
    }

    private func written(_ limit: DownloadError.Limit?) throws -> JSONValue? {
        var end = TaskEnd(task: TaskID(1), url: "http://h/", outcome: .failed, receipts: 1)
        end.error = DownloadError(.tooLarge, "no", limit: limit)
        let encoder = EventEncoder(start: .zero)
        var bytes: [UInt8] = []
        encoder.append(PipelineEvent(seq: 1, t: .zero, kind: .taskFinished(end)), to: &bytes)
        return try EventSchema.check(line: String(decoding: bytes.dropLast(), as: UTF8.self))["error"]?["limit"]
    }

    private func read(_ fields: String) throws -> DownloadError.Limit? {
        let text =
            #"{"seq":1,"t":0,"event":"receipt.finished","receipt":1,"task":1,"url":"http://h/","outcome":"failed","#
            + #""error":{"code":"tooLarge","message":"no","# + fields + "}}"
        let event = try EventDecoder(start: .zero).decode(JSONValue(parsing: text))
        guard case .receiptFinished(let end)? = event?.kind else { return nil }
        return end.error?.limit
    }
}
