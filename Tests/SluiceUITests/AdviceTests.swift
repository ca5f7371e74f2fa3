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
        (
            "PNG of 12,000 × 11,000 = 132,000,000 pixels is above maxPixels 100,000,000; raise maxPixels to decode it",
            ":maxPixels 140000000"
        ),
        ("the image has 1001 × 100 pixels, more than maxPixels 5000 allows; raise it", ":maxPixels 110000"),
        (
            "AVIF of 10 × 10 needs 8,000,000,000 bytes to decode, more than maxPixels 100 allows; raise maxPixels",
            ":maxPixels 1100000000"
        ),
        ("PNG of 9,000,000,000,000,000,000 × 9 is above maxPixels 5; raise maxPixels", ":maxPixels NUMBER"),
        ("PNG of 3,000,000,000 × 3,000,000,000 is above maxPixels 5; raise maxPixels", ":maxPixels NUMBER"),
        ("7 bytes are more than maxFileSize 5 allows; raise it", ":maxFileSize SIZE"),
    ])
    func aLimitIsRaisedByACommand(message: String, command: String) {
        #expect(LimitCommand(raising: message)?.text == command)
        let advice = Advice.text(DownloadError(.tooLarge, message))
        #expect(advice == "\(command) raises the limit, then r tries again.")
    }

    @Test func theCommandIsOneThatIsTaken() {
        #expect(throws: Never.self) { try CommandTable.parse("maxPixels 140000000") }
    }

    @Test func whereNoSettingIsNamedThereIsNoCommand() {
        let message = "an image of more than 5 bytes is not decoded from memory; save it"
        #expect(LimitCommand(raising: message) == nil)
        #expect(Advice.text(DownloadError(.tooLarge, message)).contains("raise the limit if you want it"))
    }
}
