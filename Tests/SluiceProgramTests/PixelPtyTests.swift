import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// A terminal that draws pictures, and ones that do not.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PixelPtyTests {
    private let origin: Origin
    private static let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.1)\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c"

    init() throws {
        origin = try Origin()
        let pixels = (0..<40 * 20).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
        let image = ImageEncoder.png(Bitmap(width: 40, height: 20, pixels: pixels))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    private func start(
        _ environment: [String: String] = ["KITTY_WINDOW_ID": "1"],
        answer: String = ""
    ) throws -> DashboardScreen {
        try DashboardScreen(environment: environment, width: 120, height: 36, answer: answer)
    }

    private func placeholders(_ screen: ScreenEmulator) -> Int {
        screen.rows.joined().unicodeScalars.filter { $0.value == 0x10_EEEE }.count
    }

    @Test func pixelsGoToTheTerminalThatAnswered() throws {
        let dashboard = try start(answer: Self.answers)
        #expect(dashboard.terminal.wait { $0.questions == 3 && $0.applicationCommands.count == 1 })
        dashboard.type(origin.url("/flag.png") + "\r")
        // 40 × 20 pixels are 5 × 2 cells of 9 × 18.
        #expect(dashboard.terminal.wait { placeholders($0) == 10 }, "\(dashboard.screen.text)")
        #expect(!dashboard.screen.text.contains("▀"))
        let sent = dashboard.screen.applicationCommands.dropFirst()
        #expect(sent.count == 1 && sent.first?.hasPrefix("Gq=2,a=T,U=1,i=") == true)
        #expect(sent.first?.contains("f=24,s=40,v=20,c=5,r=2") == true)
        #expect(dashboard.files == ["flag.png"], "answers are no keys")
        try dashboard.quit()
        #expect(dashboard.screen.applicationCommands.filter { $0.contains("a=d,d=I") }.count >= 2)
    }

    @Test func aKilledDashboardLeavesNoPicture() throws {
        let dashboard = try start(answer: Self.answers)
        #expect(dashboard.terminal.wait { $0.questions == 3 })
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.terminal.wait { placeholders($0) == 10 }, "\(dashboard.screen.text)")
        dashboard.terminal.send(signal: SIGABRT)
        #expect(dashboard.terminal.waitForExit() == .signalled(SIGABRT))
        #expect(dashboard.screen.remains == [])
        #expect(dashboard.screen.applicationCommands.filter { $0.contains("a=d,d=I") }.count == 2)
    }

    @Test func noAnswerMeansHalfBlocks() throws {
        let dashboard = try start()
        #expect(dashboard.terminal.wait { $0.questions == 3 })
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.terminal.wait { $0.text.contains("▀") }, "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        try dashboard.quit()
    }

    @Test func whatComesAfterTheLastAnswerChangesNothing() throws {
        // Every terminal answers the last question: who said nothing before it draws no pictures.
        let dashboard = try start(answer: "\u{1B}[?62;c")
        #expect(dashboard.terminal.wait { $0.questions == 3 })
        dashboard.type(Self.answers)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.terminal.wait { $0.text.contains("▀") }, "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        #expect(dashboard.screen.applicationCommands.count == 1, "a late answer changes nothing")
        try dashboard.quit()
    }

    @Test(arguments: [[:], ["KITTY_WINDOW_ID": "1", "SSH_CONNECTION": "x"], ["KITTY_WINDOW_ID": "1", "TMUX": "x"]])
    func othersAreNotAsked(environment: [String: String]) throws {
        let dashboard = try start(environment)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.terminal.wait { $0.text.contains("▀") }, "\(dashboard.screen.text)")
        #expect(dashboard.screen.questions == 0 && dashboard.screen.applicationCommands.isEmpty)
        try dashboard.quit()
    }
}
