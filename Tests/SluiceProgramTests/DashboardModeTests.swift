import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Whatever the screen is in the middle of, every end of the program gives the terminal back.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardModeTests {
    /// What the keys of a running dashboard lead to before the signal comes.
    enum Mode: String, CaseIterable {
        case prompt
        case help
        case detail
        case mouse
        case question
        case menu
        case filter
        case preview
        /// A picture that the terminal draws by itself.
        case pixels
    }

    /// What a terminal says that draws pictures.
    private static let pixelAnswers =
        "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|kitty(0.35.1)\u{1B}\\\u{1B}[6;18;9t\u{1B}[?62;c"

    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
        let pixels = (0..<40 * 20).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
        let image = ImageEncoder.png(Bitmap(width: 40, height: 20, pixels: pixels))
        origin.route("/flag.png") { _, _ in .bytes(image, type: "image/png") }
        origin.hold("/1.txt")
    }

    private func start(_ mode: Mode, usesShell: Bool = false) throws -> DashboardScreen {
        let hasPicture = mode == .preview || mode == .pixels
        let paths = hasPicture ? ["/1.txt", "/flag.png"] : ["/1.txt"]
        let dashboard = try DashboardScreen(
            paths.map { origin.url($0) },
            environment: mode == .pixels ? ["KITTY_WINDOW_ID": "1"] : [:],
            width: hasPicture ? 120 : 100,
            height: hasPicture ? 36 : 30,
            answer: mode == .pixels ? Self.pixelAnswers : "",
            usesShell: usesShell
        )
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(dashboard.shows("1.txt"))
        switch mode {
        case .prompt:
            dashboard.type("ahalf typed")
            #expect(dashboard.shows("half typed"))
        case .help:
            dashboard.type("?")
            #expect(dashboard.shows("keys of active first"))
        case .detail:
            dashboard.type("\r")
            #expect(dashboard.shows("7 detail"))
        case .mouse:
            dashboard.type("m")
            #expect(dashboard.terminal.wait { $0.modes.isSuperset(of: [1_000, 1_006]) })
        case .question:
            dashboard.type("\u{18}")
            #expect(dashboard.shows("abort the only task?"))
        case .menu:
            dashboard.type("s")
            #expect(dashboard.shows("sort ›"))
        case .filter:
            dashboard.type("/1")
            #expect(dashboard.shows("1 row matches"))
        case .preview:
            #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
            dashboard.type("5")
            // The picture may stand there before; a key that is not read yet would be the shell's.
            #expect(dashboard.shows("z zoom") && dashboard.shows("▀"), "\(dashboard.screen.text)")
        case .pixels:
            dashboard.type("5")
            #expect(dashboard.shows("z zoom"), "\(dashboard.screen.text)")
            #expect(dashboard.terminal.wait { Self.placeholders($0) == 10 }, "\(dashboard.screen.text)")
        }
        return dashboard
    }

    /// Cells that the terminal draws a picture in.
    private static func placeholders(_ screen: ScreenEmulator) -> Int {
        screen.rows.joined().unicodeScalars.count { $0.value == 0x10_EEEE }
    }

    /// Whether the shell waits for a line: what is typed before that may be lost.
    private static func isAtShell(_ screen: ScreenEmulator) -> Bool {
        !screen.isAlternate && screen.rows.last { !$0.isEmpty } == "shell>"
    }

    /// Nothing of a picture stays in the terminal's memory.
    private func expectNoPicture(_ dashboard: DashboardScreen, _ mode: Mode) {
        guard mode == .pixels else { return }
        #expect(dashboard.screen.applicationCommands.last?.contains("a=d,d=I") == true)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP], Mode.allCases)
    func aSignalThatEndsRestoresTheTerminal(number: Int32, mode: Mode) throws {
        let dashboard = try start(mode)
        dashboard.terminal.send(signal: number)
        try dashboard.expectEnd(.exited(7))
        expectNoPicture(dashboard, mode)
        origin.release()
    }

    @Test(arguments: [SIGQUIT, SIGSEGV, SIGABRT], Mode.allCases)
    func aCrashRestoresTheTerminal(number: Int32, mode: Mode) throws {
        let dashboard = try start(mode)
        dashboard.terminal.send(signal: number)
        try dashboard.expectEnd(.signalled(number), isWhole: false)
        expectNoPicture(dashboard, mode)
        origin.release()
    }

    @Test(arguments: Mode.allCases) func stoppingGivesTheTerminalBackAndGoingOnKeepsTheMode(mode: Mode) throws {
        let dashboard = try start(mode, usesShell: true)
        let before = dashboard.screen.modes
        let program = try #require(dashboard.shellsChild)
        kill(program, SIGTSTP)
        #expect(
            dashboard.terminal.wait { $0.text.contains("Stopped") && Self.isAtShell($0) },
            "\(dashboard.screen.text)"
        )
        #expect(dashboard.screen.remains == [])
        dashboard.type("fg\r")
        #expect(
            dashboard.terminal.wait { $0.isAlternate && $0.modes.subtracting([2_026]) == before.subtracting([2_026]) },
            "\(dashboard.screen.modes) \(before) \(dashboard.screen.text)"
        )
        let text =
            switch mode {
            case .prompt: "half typed"
            case .help: "keys of active first"
            case .detail: "7 detail"
            case .mouse: "1.txt"
            case .question: "abort the only task?"
            case .menu: "sort ›"
            case .filter: "1 row matches"
            case .preview: "▀"
            case .pixels: "5 preview"
            }
        #expect(dashboard.shows(text), "\(dashboard.screen.text)")
        if mode == .pixels { #expect(dashboard.terminal.wait { Self.placeholders($0) == 10 }) }
        kill(program, SIGTERM)
        #expect(dashboard.terminal.wait(until: Self.isAtShell), "\(dashboard.screen.text)")
        dashboard.type("exit\r")
        try dashboard.expectEnd(.exited(7))
        origin.release()
    }

    @Test func hostileTextIsReadWithItsEscapes() throws {
        origin.release()
        let attack = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}x"
        origin.route("/refused.txt") { _, _ in
            OriginResponse(
                418,
                reason: attack,
                headers: [HeaderField("Server", "a\u{9B}31mb"), HeaderField("ETag", "\"\u{7F}\"")],
                body: .bytes(Array(attack.utf8))
            )
        }
        let log = try Scratch()
        let dashboard = try DashboardScreen(
            [origin.url("/refused.txt"), "--log", log.path("log.txt")],
            width: 120,
            height: 36
        )
        #expect(try dashboard.wait { $0.taskOutcomes == ["failed"] })
        #expect(dashboard.leavePrompt())
        dashboard.type("8")
        #expect(dashboard.shows("8 finished"))
        dashboard.type("\r")
        #expect(dashboard.shows("refused with this body"), "\(dashboard.screen.text)")
        #expect(dashboard.shows("^[]0;owned^G^[[2J"), "\(dashboard.screen.text)")
        #expect(!dashboard.screen.title.contains("owned"))
        #expect(dashboard.screen.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
        try dashboard.quit()
        #expect(dashboard.screen.text.contains("1 failed"), "\(dashboard.screen.text)")
        let text = String(decoding: FileTree.contents(of: log.path("log.txt"), from: 0), as: UTF8.self)
        #expect(
            text.contains("refused.txt") && text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous },
            "\(text)"
        )
    }

    @Test func titleAndTaskbarFollowTheIndicator() throws {
        let dashboard = try DashboardScreen([origin.url("/1.txt")], environment: ["WT_SESSION": "1"])
        #expect(origin.waitUntil { $0.held == 1 })
        #expect(dashboard.terminal.wait { $0.progress == "3" && $0.title == "sluice ↓" }, "\(dashboard.screen.title)")
        #expect(try dashboard.wait { $0.named("indicator.changed").last?["to"]?.string == "active" })
        origin.release()
        #expect(dashboard.terminal.wait { $0.progress == "0" && $0.title == "sluice" }, "\(dashboard.screen.title)")
        #expect(try dashboard.wait { $0.named("indicator.changed").last?["to"]?.string == "notActive" })
        try dashboard.quit()
    }

    @Test func theMouseIsOffUntilItIsAskedFor() throws {
        origin.release()
        let dashboard = try DashboardScreen([origin.url("/1.txt")], width: 100, height: 30)
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.leavePrompt())
        #expect(dashboard.screen.modes.isDisjoint(with: [1_000, 1_002, 1_003, 1_006]))
        dashboard.type("m")
        #expect(dashboard.terminal.wait { $0.modes.isSuperset(of: [1_000, 1_006]) })
        // A click on the title of the cache gives it the focus: its keys come first in the hints.
        let row = try #require(dashboard.screen.rows.firstIndex { $0.contains("3 cache") })
        let text = dashboard.screen.row(row)
        let column = try #require(text.firstRange(of: "3 cache")).lowerBound
        let x = text.distance(from: text.startIndex, to: column) + 1
        dashboard.type("\u{1B}[<0;\(x);\(row + 1)M\u{1B}[<0;\(x);\(row + 1)m")
        #expect(dashboard.terminal.wait { $0.rows.last?.contains("C clear cache") == true }, "\(dashboard.screen.text)")
        dashboard.type("m")
        #expect(dashboard.terminal.wait { $0.modes.isDisjoint(with: [1_000, 1_006]) })
        try dashboard.quit()
    }

    @Test func theGroundIsAskedForOnceAndTheThemeFollows() throws {
        origin.release()
        let dashboard = try DashboardScreen(environment: ["COLORTERM": "truecolor"])
        #expect(dashboard.terminal.wait { $0.groundQuestions == 1 }, "\(dashboard.screen.text)")
        let isAccent = { (screen: ScreenEmulator, color: Int) in
            screen.rows.indices.contains { y in (0..<80).contains { screen.cell(x: $0, y: y).look.foreground == color }
            }
        }
        #expect(dashboard.terminal.wait { isAccent($0, 80) })
        dashboard.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        #expect(dashboard.terminal.wait { isAccent($0, 24) && !isAccent($0, 80) }, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.screen.groundQuestions == 1)
    }

    @Test func themesOfTheConfigurationHaveTheirColours() throws {
        origin.release()
        let scratch = try Scratch()
        for folder in ["home/config", "home/config/sluice"] { unsafe mkdir(scratch.path(folder), 0o700) }
        scratch.write("theme = \"sea\"\n[themes.sea]\naccent = 201\n", to: "home/config/sluice/config.toml")
        let dashboard = try DashboardScreen(in: scratch)
        let hasColor = { (screen: ScreenEmulator) in
            screen.rows.indices.contains { y in (0..<80).contains { screen.cell(x: $0, y: y).look.foreground == 201 } }
        }
        #expect(dashboard.terminal.wait { hasColor($0) }, "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func anUnknownThemeEndsTheProgramWithTheNames() throws {
        let program = try ChildProcess(
            Program.path,
            arguments: ["--theme", "sae"],
            environment: Program.environment(home: try Scratch().home)
        )
        let result = program.finish()
        #expect(result.exit == .exited(2))
        #expect(result.errorText.contains("there is no theme sae; there are auto dark light contrast mono"))
    }

    @Test func aThemeThatIsNamedIsNotAskedFor() throws {
        origin.release()
        let dashboard = try DashboardScreen(["--theme", "light"])
        #expect(dashboard.shows("paste or type a URL"))
        try dashboard.quit()
        #expect(dashboard.screen.groundQuestions == 0)
    }
}
