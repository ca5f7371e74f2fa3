import SluiceCore
import SluiceUI
import Testing

@testable import SluiceTerminal

struct PixelGraphicsTests {
    private static let now = Timestamp(nanoseconds: 1_000_000_000)

    private func graphics(_ terminal: String, _ variables: [String: String] = [:]) -> PixelGraphics {
        PixelGraphics(terminal: terminal) { variables[$0] }
    }

    @Test func onlyLikelyTerminalsAreAsked() {
        for (terminal, variables) in [
            ("xterm-kitty", [:]), ("xterm-ghostty", [:]), ("xterm-256color", ["KITTY_WINDOW_ID": "1"]),
            ("xterm-256color", ["TERM_PROGRAM": "ghostty"]),
        ] {
            var likely = graphics(terminal, variables)
            #expect(!likely.questions(now: Self.now).isEmpty, "\(terminal)")
            #expect(likely.questions(now: Self.now).isEmpty, "asked once")
            for elsewhere in ["SSH_CONNECTION", "TMUX", "STY"] {
                var remote = graphics(terminal, variables.merging([elsewhere: "x"]) { $1 })
                #expect(remote.questions(now: Self.now).isEmpty, "\(terminal) with \(elsewhere)")
            }
        }
        for terminal in ["xterm-256color", "foot", "tmux-256color", "screen", "linux"] {
            var other = graphics(terminal)
            #expect(other.questions(now: Self.now).isEmpty)
        }
    }

    @Test(arguments: [
        ("kitty(0.35.1)", true), ("kitty(0.28.0)", true), ("ghostty 1.1.0", true), ("kitty(0.26.5)", false),
        ("WezTerm 2024", false), ("Konsole 24.1", false),
    ])
    func onlyThoseThatKnowPlaceholdersAreUsed(name: String, isUsed: Bool) {
        var graphics = graphics("xterm-kitty")
        _ = graphics.questions(now: Self.now)
        #expect(graphics.take(.graphics(isGood: true)) == nil)
        #expect(graphics.take(.version(name)) == nil)
        #expect(graphics.take(.cell(width: 9, height: 18)) == nil)
        #expect((graphics.take(.attributes) != nil) == isUsed)
        #expect(graphics.isReady == isUsed)
    }

    @Test func lateAndMissingAnswersMeanNoPictures() {
        var late = graphics("xterm-kitty")
        _ = late.questions(now: Self.now)
        #expect(late.deadline == Self.now + .seconds(3))
        late.timePassed(now: Self.now + .seconds(3))
        for report in [
            TerminalReport.graphics(isGood: true), .version("kitty(0.35.1)"), .cell(width: 9, height: 18), .attributes,
        ] { #expect(late.take(report) == nil) }

        for missing in 0..<3 {
            var graphics = graphics("xterm-kitty")
            _ = graphics.questions(now: Self.now)
            let reports: [TerminalReport] = [
                .graphics(isGood: true), .version("kitty(0.35.1)"), .cell(width: 9, height: 18),
            ]
            for (index, report) in reports.enumerated() where index != missing { _ = graphics.take(report) }
            #expect(graphics.take(.attributes) == nil)
        }
    }

    @Test func reportsAreReadAndAnythingElseIsNot() {
        func sequence(_ text: String) -> TerminalReport? { TerminalReport(controlSequence: Array(text.utf8)[...]) }
        func string(_ text: String) -> TerminalReport? { TerminalReport(string: Array(text.utf8)[...]) }
        #expect(sequence("?62;c") == .attributes && sequence("6;18;9t") == .cell(width: 9, height: 18))
        #expect(sequence("8;24;80t") == nil && sequence("6;x;9t") == nil && sequence("1;2R") == nil)
        #expect(string("_Gi=31;OK") == .graphics(isGood: true))
        #expect(string("_Gi=31;ENOENT") == .graphics(isGood: false))
        #expect(string("P>|kitty(0.35.1)") == .version("kitty(0.35.1)"))
        #expect(string("]11;rgb:0/0/0") == nil && string("_Gi=7;OK") == nil)
    }

    @Test func aPictureIsSentInPieces() {
        let pixels = [UInt8](repeating: 255, count: 60 * 40 * 4)
        let bitmap = Bitmap(width: 60, height: 40, pixels: pixels)
        let picture = PixelPicture(number: 211, serial: 1, columns: 6, rows: 2, bitmap: bitmap)
        let text = String(decoding: PixelGraphics.show(picture), as: UTF8.self)
        let pieces = text.split(separator: "\u{1B}_G").map { $0.replacing("\u{1B}\\", with: "") }
        #expect(pieces.count == 3, "7,200 bytes are 9,600 letters")
        #expect(pieces[0].hasPrefix("q=2,a=T,U=1,i=211,f=24,s=60,v=40,c=6,r=2,m=1;////"))
        #expect(pieces[1].hasPrefix("m=1;") && pieces[2].hasPrefix("m=0;"))
        #expect(pieces.map { $0.split(separator: ";")[1].count } == [4_096, 4_096, 1_408])
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ])
    func base64HasItsPadding(text: String, encoded: String) {
        #expect(String(decoding: Base64.letters(of: Array(text.utf8)), as: UTF8.self) == encoded)
    }
}
