import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Pictures on a real terminal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PreviewPtyTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        // Above red, below blue.
        let pixels = (0..<40 * 20).flatMap { $0 < 400 ? [255, 0, 0, 255] : [0, 64, 255, 255] as [UInt8] }
        let image = ImageEncoder.png(Bitmap(width: 40, height: 20, pixels: pixels))
        origin.setFallback { _, _ in .bytes(image, type: "image/png") }
    }

    /// The colours of the first cell with a picture, as the terminal got them.
    private func firstColors(_ screen: ScreenEmulator) -> (Int?, Int?)? {
        for y in 0..<screen.height {
            for x in 0..<screen.width where screen.cell(x: x, y: y).text == "▀" {
                let look = screen.cell(x: x, y: y).look
                return (look.foreground, look.background)
            }
        }
        return nil
    }

    @Test(arguments: [
        (["COLORTERM": "truecolor"], true), (["COLORTERM": ""], false),
        (["COLORTERM": "", "TERM": "xterm-direct"], true),
    ])
    func aDownloadedImageAppearsInItsColours(environment: [String: String], hasTrueColor: Bool) throws {
        let dashboard = try DashboardScreen(environment: environment, width: 120, height: 36)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.shows("png 40×20"), "\(dashboard.screen.text)")
        #expect(dashboard.terminal.wait { $0.text.filter { $0 == "▀" }.count == 400 }, "\(dashboard.screen.text)")
        let colors = try #require(firstColors(dashboard.screen))
        let red = hasTrueColor ? 0x1FF_0000 : 196
        #expect(colors == (red, red))
        #expect(dashboard.files == ["flag.png"])
        try dashboard.quit()
    }

    /// All colours of pictures on the screen, and how many cells have them.
    private func picture(_ screen: ScreenEmulator) -> (colors: Set<Int>, cells: Int) {
        var (colors, cells): (Set<Int>, Int) = ([], 0)
        for y in 0..<screen.height {
            for x in 0..<screen.width where screen.cell(x: x, y: y).text == "▀" {
                let look = screen.cell(x: x, y: y).look
                colors.formUnion([look.foreground, look.background].compactMap(\.self))
                cells += 1
            }
        }
        return (colors, cells)
    }

    private static let (red, blue) = (0x1FF_0000, 0x100_40FF)

    @Test func anAnimationMovesOnTheTerminal() throws {
        let frames = [[255, 0, 0, 255], [0, 64, 255, 255]].map { color in
            Bitmap(width: 8, height: 4, pixels: (0..<8 * 4).flatMap { _ in color as [UInt8] })
        }
        let animation = ImageEncoder.gif(frames, delay: 20)
        origin.route("/blink.gif") { _, _ in .bytes(animation, type: "image/gif") }
        let dashboard = try DashboardScreen(environment: ["COLORTERM": "truecolor"], width: 120, height: 36)
        dashboard.type(origin.url("/blink.gif") + "\r")
        #expect(dashboard.shows("2 frames"), "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        dashboard.type("5")
        // Whole frames only: in the middle of one both colours are there.
        for color in [Self.red, Self.blue, Self.red, Self.blue] {
            let isSeen = dashboard.terminal.wait { !$0.modes.contains(2_026) && picture($0).colors == [color] }
            #expect(isSeen, "\(dashboard.screen.text)")
        }
        try dashboard.quit()
    }

    @Test func zoomAndFitChangeWhatTheTerminalShows() throws {
        let dashboard = try DashboardScreen(environment: ["COLORTERM": "truecolor"], width: 120, height: 36)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.shows("png 40×20"), "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        let both: Set = [Self.red, Self.blue]
        #expect(dashboard.terminal.wait { picture($0) == (both, 400) }, "\(dashboard.screen.text)")
        dashboard.type("i")
        // Twice as large is the most that fits in whole steps.
        #expect(dashboard.terminal.wait { picture($0) == (both, 1_600) }, "\(dashboard.screen.text)")
        dashboard.type("z")
        #expect(dashboard.shows("zoom ×2"), "\(dashboard.screen.text)")
        dashboard.type("kk")
        #expect(dashboard.terminal.wait { picture($0).colors == [Self.red] }, "the upper half alone")
        dashboard.type("jjjj")
        #expect(dashboard.terminal.wait { picture($0).colors == [Self.blue] }, "the lower half alone")
        dashboard.type("zz")
        #expect(dashboard.terminal.wait { picture($0) == (both, 1_600) }, "\(dashboard.screen.text)")
        #expect(dashboard.hides("zoom ×"))
        dashboard.type("i")
        #expect(dashboard.terminal.wait { picture($0) == (both, 400) }, "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func aKeyTakesTheImageOutOfMemory() throws {
        let dashboard = try DashboardScreen(width: 120, height: 36)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.shows("png 40×20"), "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        dashboard.type("8c")
        #expect(dashboard.shows("dropped flag.png from memory, 3.1 KiB freed"), "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.named("cache.removed").count == 1 })
        dashboard.type("c")
        #expect(dashboard.shows("flag.png is not in memory"), "\(dashboard.screen.text)")
        #expect(dashboard.events.named("cache.removed").count == 1 && dashboard.files == ["flag.png"])
        try dashboard.quit()
    }

    @Test func theGalleryReadsTheFileOnceMemoryIsCleared() throws {
        let dashboard = try DashboardScreen(width: 120, height: 36)
        dashboard.type(origin.url("/flag.png") + "\r")
        #expect(dashboard.shows("png 40×20"), "\(dashboard.screen.text)")
        #expect(dashboard.leavePrompt())
        dashboard.type("C")
        #expect(try dashboard.wait { $0.named("cache.purged").count == 1 })
        dashboard.type("I")
        #expect(dashboard.shows("5 gallery"), "\(dashboard.screen.text)")
        #expect(dashboard.terminal.wait { $0.text.filter { $0 == "▀" }.count > 100 }, "\(dashboard.screen.text)")
        #expect(try dashboard.wait { $0.named("cache.added").count == 2 }, "the stored answer fills the cache again")
        #expect(dashboard.events.named("cache.added").count == 2, "and once is enough")
        #expect(dashboard.events.named("task.started").count == 1, "and asks no network")
        dashboard.type("\u{1B}")
        #expect(dashboard.hides("5 gallery"))
        try dashboard.quit()
    }
}
