import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Commands of the real program, from the keys to what the pipeline does.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DashboardCommandTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        let pixels = (0..<40 * 20).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
        let image = ImageEncoder.png(Bitmap(width: 40, height: 20, pixels: pixels))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    private func settings(_ events: [JSONValue]) -> [String] {
        events.named("settings.changed").map { "\($0["name"]?.string ?? "") \($0["to"]?.int.map(String.init) ?? "")" }
    }

    @Test func settingsCachesAndListsAreCommanded() throws {
        let scratch = try Scratch()
        scratch.write("\(origin.url("/2.png"))\n\(origin.url("/3.png"))\n", to: "home/add.txt")
        scratch.write("\(origin.url("/4.png"))\n\(origin.url("/1.png"))\n", to: "home/fill.txt")
        let dashboard = try DashboardScreen([origin.url("/1.png")], width: 120, height: 36, in: scratch)
        #expect(dashboard.shows("png 40×20"), "\(dashboard.screen.text)")
        dashboard.type(":purge\r")
        #expect(try dashboard.wait { $0.named("cache.purged").map { $0["trigger"]?.string } == ["cleared"] })
        dashboard.type(":set maxActive 8\r")
        #expect(try dashboard.wait { settings($0).last == "maxActive 8" }, "\(dashboard.screen.text)")
        dashboard.type(":order lifo\r")
        #expect(try dashboard.wait { $0.named("settings.changed").last?["to"]?.string == "lifo" })
        dashboard.type(":cache 80M\r")
        #expect(
            try dashboard.wait {
                Set(settings($0).suffix(2)) == ["cacheCapacity 83886080", "cachePreferred 50331648"]
            },
            "\(settings(dashboard.events))"
        )
        #expect(dashboard.shows("of 80 MiB"), "\(dashboard.screen.text)")
        dashboard.type(":import ~/add.txt\r")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 3 }, "\(dashboard.screen.text)")
        dashboard.type(":prefetch ~/fill.txt\r")
        #expect(try dashboard.wait { $0.named("prefetch.finished").count == 1 }, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["1.png", "2.png", "3.png"], "a prefetch saves no file")
    }

    @Test func aSeriesOnTheCommandLineIsTakenAsItStandsAndThatIsSaid() throws {
        let dashboard = try DashboardScreen([origin.url("/k[1-9].png")], width: 80, height: 24)
        let note = "[1-9] is asked for as it stands: typed at the prompt it is a series"
        #expect(dashboard.shows(note), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.events.named("warning").map { $0["code"]?.string } == ["series"])
        try dashboard.quit()
    }

    @Test func aSmallerCacheOnTheCommandLineSaysWhatAPurgeLeavesOfIt() throws {
        let dashboard = try DashboardScreen(["--cache-capacity", "10M", origin.url("/1.png")], width: 80, height: 24)
        let note = "cachePreferred is 6 MiB unless set: --cache-capacity 10M takes it down"
        #expect(dashboard.shows(note), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.events.named("warning").map { $0["code"]?.string } == ["cachePreferred"])
        try dashboard.quit()
    }

    @Test func aUserOfTheCommandLineWithoutAHostIsToldNobodyAndThatIsSaid() throws {
        let dashboard = try DashboardScreen(["--user", "anna:secret"], width: 80, height: 24)
        #expect(dashboard.shows("write --user HOST=USER:PASSWORD: no URL on"), "\(dashboard.screen.text)")
        #expect(dashboard.hides("secret"))
        dashboard.type(origin.url("/1.png") + "\r")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        #expect(dashboard.events.named("warning").map { $0["code"]?.string } == ["credentials"])
        try dashboard.quit()
    }

    @Test func aFailedTaskGoesOnUnderTheURLThatIsTyped() throws {
        origin.route("/old.png", OriginResponse(404))
        let dashboard = try DashboardScreen([origin.url("/old.png")], width: 120, height: 36)
        #expect(try dashboard.wait { $0.taskOutcomes == ["failed"] })
        dashboard.type("9")
        #expect(dashboard.shows("badStatus"), "\(dashboard.screen.text)")
        dashboard.type("e")
        #expect(dashboard.shows("run › :url \(origin.url("/old.png"))"), "\(dashboard.screen.text)")
        dashboard.type("\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}new.png\r")
        #expect(try dashboard.wait { $0.taskOutcomes == ["failed", "success"] }, "\(dashboard.screen.text)")
        #expect(dashboard.shows("What failed stands here"), "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["new.png"])
    }

    @Test func oneTaskIsLimited() throws {
        origin.route("/slow.bin") { _, _ in
            var answer = OriginResponse(body: .pattern(count: 2_000_000))
            answer.fault = .stall(after: 600_000)
            return answer
        }
        let dashboard = try DashboardScreen([origin.url("/slow.bin")], width: 120, height: 36)
        #expect(dashboard.shows("slow.bin"))
        dashboard.type("L")
        #expect(dashboard.shows("run › :limit"), "\(dashboard.screen.text)")
        dashboard.type("200K\r")
        #expect(dashboard.shows("slow.bin limited to 200 KiB/s"), "\(dashboard.screen.text)")
        dashboard.type("\r")
        #expect(dashboard.shows("200 KiB/s of its own"), "\(dashboard.screen.text)")
        dashboard.type(":limit 0\r")
        #expect(dashboard.hides("of its own ·"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func theThemeChangesWhileItRuns() throws {
        let scratch = try Scratch()
        let config = scratch.write("[themes.sea]\naccent = 201\n", to: "home/c.toml")
        let dashboard = try DashboardScreen(["--theme", "dark", "--config", config], in: scratch)
        let hasColor = { (screen: ScreenEmulator, color: Int) in
            screen.rows.indices.contains { y in
                (0..<80).contains { screen.cell(x: $0, y: y).look.foreground == color }
            }
        }
        #expect(dashboard.terminal.wait { hasColor($0, 80) })
        #expect(dashboard.screen.groundQuestions == 0)
        dashboard.type(":theme light\r")
        #expect(dashboard.terminal.wait { hasColor($0, 24) && !hasColor($0, 80) }, "\(dashboard.screen.text)")
        dashboard.type(":theme se\t\r")
        #expect(dashboard.terminal.wait { hasColor($0, 201) && !hasColor($0, 24) }, "\(dashboard.screen.text)")
        dashboard.type(":theme auto\r")
        #expect(dashboard.terminal.wait { $0.groundQuestions == 1 && hasColor($0, 80) }, "\(dashboard.screen.text)")
        dashboard.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\")
        #expect(dashboard.terminal.wait { hasColor($0, 24) }, "\(dashboard.screen.text)")
        dashboard.type(":theme sae\r")
        #expect(dashboard.shows("there is no theme sae, but auto dark light"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}")
        try dashboard.quit()
    }
}
