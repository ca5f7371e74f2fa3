import Foundation
import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// What the terminal is told to put into the clipboard, byte by byte.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClipboardPtyTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    /// The sequence for a text, made by other means than the program's.
    private func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + Array(Data(text.utf8).base64EncodedString().utf8) + [0x07]
    }

    private func expectCopied(
        _ texts: [String],
        _ dashboard: DashboardScreen,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let wanted = texts.map { Data($0.utf8).base64EncodedString() }
        #expect(dashboard.terminal.wait { $0.copied.count >= texts.count }, sourceLocation: location)
        #expect(dashboard.screen.copied == wanted, sourceLocation: location)
        let sent = Data(dashboard.terminal.transcript)
        for text in texts {
            #expect(sent.range(of: Data(sequence(text))) != nil, "\(text.debugDescription)", sourceLocation: location)
        }
    }

    @Test func aURLAndAPathAreCopiedExactly() throws {
        let dashboard = try DashboardScreen([origin.url("/a%20b.txt?q=%C3%A9&x=1")])
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        let file = try #require(dashboard.files.first)
        dashboard.type("8")
        #expect(dashboard.shows("▌✓ "), "\(dashboard.screen.text)")
        dashboard.type("Y")
        #expect(dashboard.shows("copied http"), "\(dashboard.screen.text)")
        dashboard.type("y")
        #expect(dashboard.shows("copied /"), "\(dashboard.screen.text)")
        expectCopied([origin.url("/a%20b.txt?q=%C3%A9&x=1"), dashboard.scratch.downloads + "/" + file], dashboard)
        try dashboard.quit()
    }

    @Test func aSelectionIsOneTextOfLines() throws {
        let dashboard = try DashboardScreen(["--max-active", "1", origin.url("/1.txt"), origin.url("/2.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 })
        dashboard.type("8")
        #expect(dashboard.shows("1 of 2"), "\(dashboard.screen.text)")
        dashboard.type("\u{1}")
        #expect(dashboard.shows("2 selected"), "\(dashboard.screen.text)")
        dashboard.type("Y")
        #expect(dashboard.shows("copied 2 URLs"), "\(dashboard.screen.text)")
        expectCopied([[origin.url("/2.txt"), origin.url("/1.txt")].joined(separator: "\n")], dashboard)
        try dashboard.quit()
    }

    /// Letters of base64 are all that stands in the sequence, so nothing in a name can end it or begin another.
    @Test func aHostileNameIsCopiedAsItIsAndSteersNothing() throws {
        let scratch = try Scratch()
        let folder = scratch.path("\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E}x")
        unsafe mkdir(folder, 0o700)
        let dashboard = try DashboardScreen(["--dir", folder, origin.url("/1.txt")], in: scratch)
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        dashboard.type("8")
        #expect(dashboard.shows("▌✓ "), "\(dashboard.screen.text)")
        dashboard.type("y")
        #expect(dashboard.shows("copied /"), "\(dashboard.screen.text)")
        expectCopied([folder + "/1.txt"], dashboard)
        #expect(dashboard.shows("^[]0;owned^G"), "\(dashboard.screen.text)")
        #expect(!dashboard.screen.title.contains("owned") && dashboard.screen.bells == 0)
        try dashboard.quit()
    }
}
