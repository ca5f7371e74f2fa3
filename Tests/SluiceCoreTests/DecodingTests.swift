import Testing

@testable import SluiceCore

/// Which bodies are decoded, by the setting `decode` and who wants them.
struct DecodingTests {
    @Test(arguments: [
        (Settings.Decode.auto, false), (.always, true), (.never, false),
    ])
    func aSavedFileIsDecodedOnlyIfAskedFor(decode: Settings.Decode, isDecoded: Bool) {
        var settings = Settings()
        settings.decode = decode
        let receipts = receipts(RequestOptions())
        #expect(settings.decodes(receipts, savesFiles: true, isDashboard: false) == isDecoded)
    }

    @Test func byItselfItIsDecodedWhereSomebodyLooks() {
        var settings = Settings()
        let saved = receipts(RequestOptions())
        #expect(settings.decodes(saved, savesFiles: true, isDashboard: true))
        #expect(settings.decodes(saved, savesFiles: false, isDashboard: false))
        let both = receipts(RequestOptions(), RequestOptions(saves: false))
        #expect(settings.decodes(both, savesFiles: true, isDashboard: false))
        settings.acceptOnly = .image
        #expect(settings.decodes(saved, savesFiles: true, isDashboard: false))
    }

    @Test(arguments: Settings.Decode.allCases)
    func aThumbnailIsDecodedWhateverIsSet(decode: Settings.Decode) {
        var settings = Settings()
        settings.decode = decode
        let thumbnail = ThumbnailSize(width: 10, height: 10)
        let receipts = receipts(RequestOptions(), RequestOptions(thumbnail: thumbnail))
        #expect(settings.decodes(receipts, savesFiles: true, isDashboard: false))
    }

    /// Those of one task.
    private func receipts(_ options: RequestOptions...) -> [Receipt] {
        options.map { options in
            Receipt(
                id: ReceiptID(1),
                options: options,
                source: .argument,
                tag: nil,
                submitted: Timestamp(nanoseconds: 0)
            )
        }
    }
}
