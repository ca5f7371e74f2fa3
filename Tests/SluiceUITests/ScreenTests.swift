import SluiceCore
import Testing

@testable import SluiceUI

struct ScreenTests {
    private static let sizes = [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)]

    @Test(arguments: sizes)
    func everyRowIsAsWideAsTheScreen(width: Int, height: Int) {
        for scene in [Scene.empty, .full, .failing] {
            for prompt in [false, true] {
                var dashboard = scene.dashboard(width, height, prompt: prompt)
                let frame = dashboard.frame(width: width, height: height, now: Scene.now)
                expectWellFormed(frame, width, height)
            }
        }
    }

    @Test(arguments: sizes)
    func theFactsAreOnEveryScreen(width: Int, height: Int) {
        let text = text(of: .full, width, height)
        #expect(text.contains("ACTIVE"))
        #expect(text.contains("4/4") || text.contains("4 of 4"))
        #expect(text.contains("38"))
        #expect(text.contains("84.1"))
        #expect(text.contains("100 MiB") || text.contains("84.1/100"))
        #expect(text.contains("dunes-4096.jpg"))
        #expect(text.contains("✗ 1") || text.contains("✗1"))
    }

    @Test(arguments: sizes)
    func anEmptyScreenTellsHowToBegin(width: Int, height: Int) {
        let text = text(of: .empty, width, height)
        #expect(text.contains("idle"))
        #expect(text.contains("URLs"))
        #expect(text.contains("@urls.txt"))
    }

    @Test(arguments: sizes)
    func nothingAServerSentMovesTheCursor(width: Int, height: Int) {
        let text = text(of: .failing, width, height)
        #expect(text.split(separator: "\n").allSatisfy { $0.unicodeScalars.allSatisfy(Self.isPrintable) })
    }

    @Test func everySizeHasAPicture() {
        for scene in [Scene.empty, .failing] {
            var dashboard = scene.dashboard(80, 24)
            func look(_ width: Int, _ height: Int) {
                let canvas = draw(&dashboard, width, height).canvas
                guard width > 0, height > 0, !canvas.row(0).contains(where: Self.indicator.contains) else { return }
                Issue.record("no indicator at \(width)×\(height): \(canvas.row(0))")
            }
            for width in 0...250 { look(width, (width * 29 + 3) % 71) }
            for height in 0...70 {
                for width in [1, 40, 80, 110] { look(width, height) }
            }
            look(400, 150)
        }
    }

    /// The signs of the network's four states, of which one is in the first row of every size.
    private static let indicator: Set<Character> = Set("○◔◕⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    @Test func everySizeHasAPictureInEveryMode() {
        let doors: [[AppEvent]] = [
            [.key(.character("?"))], [.key(.character("a")), .paste("https://例え.example/猫.png")], [.key(.control("x"))],
            [.paste(String(repeating: "http://a.example/x ", count: 30))],
            [.key(.character("3")), .key(.character("3"))],
            [.key(.character("4")), .key(.character("j"))], [.key(.character("6"))], [.key(.character("q"))],
            [.key(.character("2")), .key(.character("G"))],
        ]
        for door in doors {
            var dashboard = Scene.failing.dashboard(80, 24)
            for event in door { _ = dashboard.handle(event, now: Scene.now) }
            for width in stride(from: 0, through: 210, by: 23) {
                for height in stride(from: 0, through: 60, by: 6) { draw(&dashboard, width, height) }
            }
        }
    }

    @Test func asciiScreensHoldNothingElse() {
        for (width, height) in Self.sizes {
            for scene in [Scene.empty, .full, .failing] {
                var dashboard = scene.dashboard(width, height, depth: .mono, ascii: true)
                let frame = dashboard.frame(width: width, height: height, now: Scene.now)
                expectWellFormed(frame, width, height)
                #expect(frame.canvas.cells.allSatisfy { $0.character?.isASCII ?? false })
            }
        }
    }

    @Test(arguments: ColorDepth.allCases)
    func coloursStayInThePaletteOfTheTerminal(depth: ColorDepth) {
        let limit: Int32 =
            switch depth {
            case .mono: 0
            case .ansi8: 8
            case .ansi16: 16
            case .palette256: 256
            }
        for event in [AppEvent.key(.character("3")), .key(.character("?")), .key(.character("2"))] {
            var dashboard = Scene.full.dashboard(120, 36, depth: depth)
            _ = dashboard.handle(event, now: Scene.now)
            let frame = dashboard.frame(width: 120, height: 36, now: Scene.now)
            for cell in frame.canvas.cells {
                #expect(cell.style.foreground < limit && cell.style.background < limit)
            }
        }
    }

    @Test func theFocusedFrameIsTheOnlyColouredOne() {
        var dashboard = Scene.full.dashboard(120, 36)
        _ = dashboard.handle(.key(.character("2")), now: Scene.now)
        let canvas = dashboard.frame(width: 120, height: 36, now: Scene.now).canvas
        let corners = canvas.cells.filter { $0.character == "╭" }
        #expect(corners.count { $0.style.foreground == 114 } == 1)
        #expect(corners.count { $0.style.foreground == 239 } == corners.count - 1)
    }

    @Test func theGroundIsTheTerminalsOwn() {
        var dashboard = Scene.full.dashboard(80, 24)
        let canvas = dashboard.frame(width: 80, height: 24, now: Scene.now).canvas
        #expect(Set(canvas.cells.map(\.style.background)).isSubset(of: [-1, 114, 235, 236]))
    }

    @Test func aPurgeFlashesForASecond() {
        var scene = Scene()
        scene.purge(61.5, freed: 44_040_192, victims: 17)
        var dashboard = Scene.full.dashboard(120, 36)
        _ = dashboard.handle(.events(scene.events, lost: 0), now: Scene.now)
        let flash = dashboard.frame(width: 120, height: 36, now: Scene.now)
        #expect(flash.canvas.cells.contains { $0.style.background == 215 })
        #expect(rows(flash).contains { $0.contains("−42.0 MiB freed") })
        let large = dashboard.frame(width: 200, height: 50, now: Scene.now)
        #expect(rows(large).contains { $0.contains("kyoto-autumn.jpg") && $0.contains("made") }, "\(rows(large))")
        _ = dashboard.frame(width: 120, height: 36, now: Scene.now)
        _ = dashboard.handle(.key(.character("3")), now: Scene.now)
        let looked = dashboard.frame(width: 120, height: 36, now: Scene.now)
        #expect(looked.canvas.cells.contains { $0.style.background == 215 })
        #expect(rows(looked).contains { $0.contains("kyoto-autumn.jpg") && $0.contains("made") }, "\(rows(looked))")
        #expect(rows(looked).contains { $0.contains("had to go, oldest") })
        _ = dashboard.handle(.key(.escape), now: Scene.now)
        _ = dashboard.frame(width: 120, height: 36, now: Scene.now)

        let end = Scene.now + .seconds(1)
        #expect(dashboard.nextWake(after: Scene.now) == end)
        _ = dashboard.handle(.wake, now: end)
        let later = dashboard.frame(width: 120, height: 36, now: end)
        #expect(!later.canvas.cells.contains { $0.style.background == 215 })
    }

    /// Where there is more than one line of facts, the prompt's line is there and says something in every mode.
    @discardableResult
    private func draw(_ dashboard: inout Dashboard, _ width: Int, _ height: Int) -> Frame {
        _ = dashboard.handle(.resized(width: width, height: height), now: Scene.now)
        let frame = dashboard.frame(width: width, height: height, now: Scene.now)
        expectWellFormed(frame, width, height)
        guard width >= 40, height >= 4, frame.canvas.height == height else { return frame }
        let last = (max(1, height - 2)..<height).map(frame.canvas.row)
        guard let row = dashboard.state.layout.promptRow, row >= height - 2,
            !frame.canvas.row(row).allSatisfy(\.isWhitespace)
        else {
            Issue.record("no prompt at \(width)×\(height): \(last)")
            return frame
        }
        return frame
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E: false
        default: true
        }
    }

    private func expectWellFormed(_ frame: Frame, _ width: Int, _ height: Int) {
        let canvas = frame.canvas
        guard canvas.width == width, canvas.height == height, canvas.cells.count == width * height else {
            Issue.record("a picture of \(canvas.width)×\(canvas.height) for \(width)×\(height)")
            return
        }
        for y in 0..<height {
            var columns = 0
            for cell in canvas.cells(inRow: y) {
                guard let character = cell.character else { continue }
                columns += TextWidth.columns(of: String(character))
                if !character.unicodeScalars.allSatisfy(Self.isPrintable) {
                    Issue.record("row \(y) of \(width)×\(height) moves the cursor: \(canvas.row(y))")
                    return
                }
            }
            guard columns == width else {
                Issue.record("row \(y) of \(width)×\(height) fills \(columns) columns: \(canvas.row(y))")
                return
            }
        }
        if let cursor = frame.cursor {
            #expect((0..<width).contains(cursor.x) && (0..<height).contains(cursor.y))
        }
    }

    private func rows(_ frame: Frame) -> [String] { (0..<frame.canvas.height).map(frame.canvas.row) }

    private func text(of scene: Scene, _ width: Int, _ height: Int) -> String {
        var dashboard = scene.dashboard(width, height)
        return dashboard.frame(width: width, height: height, now: Scene.now).canvas.text
    }
}
