import SluiceCore
import Testing

@testable import SluiceUI

/// What to do about a failure: nothing that its error denies, and with the key that does it.
struct AdviceTests {
    private static let plain = DownloadError(
        .tlsFailed,
        "no secure connection to h.example: \(DownloadError.noTLS); did you mean http://?"
    )

    @Test func whatSpeaksNoTLSIsAskedWithoutIt() {
        let advice = Advice.text(Self.plain, url: "https://h.example:18629/tls.png")
        #expect(advice == "Try http://h.example:18629/tls.png. e edits the URL.")
        #expect(Advice.text(Self.plain, nil, url: "HTTPS://h/a") == "Try http://h/a.")
        let elsewhere = "Where it leads speaks no TLS: only the server's owner can mend that."
        #expect(Advice.text(Self.plain) == elsewhere, "a redirect led there")
        #expect(Advice.text(Self.plain, url: "http://h/a") == elsewhere)
        #expect(Advice.text(DownloadError(.tlsFailed, "no protocols available")).contains("old versions of TLS"))
    }

    @Test func theDetailNamesTheOtherURL() {
        var scene = Scene.empty
        scene.failed(50, "https://h.example/a.png", Self.plain, task: 77)
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("Try http://h.example/a.png. e edits the URL."), "\(driver.text)")
        #expect(!driver.text.contains("old versions"), "\(driver.text)")
    }

    @Test func aRefusedCertificateCanBeLookedAt() throws {
        let error = DownloadError(.tlsUntrusted, "h is not trusted")
        #expect(Advice.text(error).hasSuffix("you know whose it is. T shows its certificates."))
        let keys = try KeyMap([KeyChange(action: "trust", keys: ["f8"], line: 1)])
        #expect(Advice.text(error, keys).hasSuffix("F8 shows its certificates."))
        #expect(Advice.text(error, nil).hasSuffix("you know whose it is."))
    }

    @Test(arguments: [
        (DownloadError.Limit(.maxPixels, needed: 132_000_000), ":maxPixels 140000000"),
        (DownloadError.Limit(.maxPixels, needed: 100_100), ":maxPixels 110000"),
        (DownloadError.Limit(.maxPixels, needed: 1_000_000_001), ":maxPixels 1100000000"),
        (DownloadError.Limit(.maxPixels, needed: 99), ":maxPixels 99"),
        (DownloadError.Limit(.maxPixels, needed: 999_999_999_999), ":maxPixels 1000000000000"),
        (DownloadError.Limit(.maxPixels, needed: 9_000_000_000_000_000_000), ":maxPixels NUMBER"),
        (DownloadError.Limit(.maxPixels), ":maxPixels NUMBER"),
        (DownloadError.Limit(.maxFileSize), ":maxFileSize SIZE"),
        (DownloadError.Limit(.maxFileSize, needed: 5_000), ":maxFileSize 5000"),
    ])
    func aLimitIsRaisedByACommand(limit: DownloadError.Limit, command: String) {
        #expect(LimitCommand(raising: limit).text == command)
        let advice = Advice.text(DownloadError(.tooLarge, "in any words", limit: limit))
        #expect(advice == "\(command) raises the limit, then r tries again.")
    }

    @Test func theCommandFollowsTheErrorWhateverItsWords() {
        let message = "PNG of 12,000 × 11,000 = 132,000,000 pixels is above maxPixels 100,000,000; raise maxPixels"
        let error = DownloadError(.tooLarge, message, limit: DownloadError.Limit(.maxFileSize))
        #expect(Advice.text(error).hasPrefix(":maxFileSize SIZE raises the limit"))
        #expect(Advice.text(error, nil).contains("raise the limit if you want it"))
    }

    @Test func theCommandIsOneThatIsTaken() {
        #expect(throws: Never.self) { try CommandTable.parse("maxPixels 140000000") }
    }

    @Test(arguments: [KeyMap.standard, nil]) func whereNoSettingIsNamedNoneIsToBeRaised(keys: KeyMap?) {
        for message in [
            "an image of more than 5 bytes is not decoded from memory; save it",
            "PNG of 1,000,001 × 1: no side above 1,000,000 pixels is decoded",
        ] {
            let advice = Advice.text(DownloadError(.tooLarge, message), keys)
            #expect(advice == "It is too large, and no setting is known that allows it.")
        }
    }
}
