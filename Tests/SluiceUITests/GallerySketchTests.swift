import SluiceCore
import Testing

@testable import SluiceUI

/// Tiles of the gallery whose images are still being loaded.
struct GallerySketchTests {
    /// A picture of which the upper half has arrived.
    private static func half(_ color: UInt8 = 200, width: Int = 64, height: Int = 48) -> Bitmap {
        let pixels = (0..<width * height).flatMap { place -> [UInt8] in
            place < width * height / 2 ? [color, 40, 40, 255] : [0, 0, 0, 0]
        }
        return Bitmap(width: width, height: height, pixels: pixels)
    }

    private func gallery(_ width: Int = 120, _ height: Int = 36) -> Driver {
        var driver = Driver(.full, width, height)
        _ = driver.press("I")
        return driver
    }

    private func active(_ driver: Driver) -> [TaskID] { driver.dashboard.state.snapshot.active.map(\.task) }

    private func sketch(_ task: TaskID, _ bitmap: Bitmap = half()) -> AppEvent {
        .sketch(PictureSketch(task: task, bitmap: bitmap))
    }

    private func cells(_ driver: inout Driver) -> Int { driver.text.filter { $0 == "▀" || $0 == "▄" }.count }

    @Test func theTilesOfActiveTasksAreObservedWhileTheyAreSeen() {
        var driver = gallery()
        #expect(active(driver).count > 1)
        #expect(driver.dashboard.state.pictures.observed == active(driver))
        _ = driver.press("I")
        #expect(driver.dashboard.state.pictures.observed.count <= 1, "only what the preview is about")
    }

    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)])
    func whatArrivedStandsInItsTileAndTheRestIsEmpty(width: Int, height: Int) throws {
        var driver = gallery(width, height)
        let task = try #require(driver.dashboard.state.pictures.observed.first)
        let before = cells(&driver)
        _ = driver.send(sketch(task))
        driver.pass(.seconds(1))
        // Three quarters as high as wide, and half of that.
        let tile = try #require(driver.dashboard.state.galleryGrid).tileHeight
        #expect(cells(&driver) == before + Int((Double(tile) * 8 / 3).rounded()) * ((tile + 1) / 2))
        #expect(driver.text.contains("dunes-4096.jpg") && driver.text.contains("82 %"), "name and progress stay")
        let now = driver.now
        try Golden.check(&driver.dashboard, "gallery-loading", width, height, now: now)
    }

    @Test func theEmptyPartHasTheGroundOfATile() throws {
        var driver = gallery()
        let task = try #require(active(driver).first)
        let old = driver.dashboard.frame(width: 120, height: 36, now: driver.now).canvas
        _ = driver.send(sketch(task, Self.half(height: 40)))
        driver.pass(.seconds(1))
        let new = driver.dashboard.frame(width: 120, height: 36, now: driver.now).canvas
        let track = Theme(depth: .palette256).style(Ink(.fg), on: .track).background
        let changed = zip(old.cells, new.cells).filter { $0 != $1 && "▀ ".contains($1.character ?? "x") }.map(\.1)
        #expect(changed.contains { $0.character == "▀" && $0.style.background == track }, "the edge, half arrived")
        #expect(changed.allSatisfy { $0.style.background != -1 })
    }

    /// The head of a file is there before its first row: nothing drawn on an empty ground would look broken.
    @Test func aTileOfWhichNothingIsSeenKeepsItsWords() throws {
        let blank = Bitmap(width: 64, height: 48, pixels: [UInt8](repeating: 0, count: 64 * 48 * 4))
        // In the gallery, and in the preview of the selected row.
        for keys in ["I", "jk"] {
            var driver = Driver(.full, 120, 36)
            _ = driver.press(keys)
            let task = try #require(driver.dashboard.state.pictures.observed.first)
            let before = cells(&driver)
            _ = driver.send(sketch(task, blank))
            driver.pass(.seconds(1))
            #expect(driver.text.contains("82 % · 4.6 MiB/s") && cells(&driver) == before, "\(driver.text)")
            _ = driver.send(sketch(task))
            driver.pass(.seconds(1))
            #expect(!driver.text.contains("82 % · 4.6 MiB/s") && cells(&driver) > before, "\(driver.text)")
        }
    }

    @Test func whatNobodySeesIsNotKept() throws {
        var driver = gallery()
        let task = try #require(active(driver).first)
        _ = driver.send(sketch(TaskID(9_999)))
        #expect(driver.dashboard.state.pictures.tileSketches.isEmpty)
        _ = driver.send(sketch(task))
        driver.pass(.seconds(1))
        #expect(driver.dashboard.state.pictures.tileSketches.shown[task] != nil)
        _ = driver.press("I")
        #expect(driver.dashboard.state.pictures.tileSketches.isEmpty)
    }

    @Test func theyComeNoFasterThanTheirBytesAreWorth() {
        var driver = gallery()
        let tasks = active(driver)
        for task in tasks { _ = driver.send(sketch(task)) }
        driver.pass(.milliseconds(1))
        var shown = Set(driver.dashboard.state.pictures.tileSketches.shown.values.map(\.serial))
        #expect(!shown.isEmpty)
        var bytes = 0
        for step in 0..<100 {
            for task in tasks { _ = driver.send(sketch(task, Self.half(UInt8(step * 2 + 1)))) }
            driver.pass(.milliseconds(50))
            let now = Set(driver.dashboard.state.pictures.tileSketches.shown.values.map(\.serial))
            bytes += now.subtracting(shown).count * 21 * 4 * 40
            shown = now
        }
        #expect(bytes > 0 && bytes <= 5 * 24_000 + tasks.count * 22 * 8 * 40, "\(bytes) bytes in five seconds")
        #expect(driver.dashboard.nextWake(after: driver.now) != nil, "the last ones are shown too")
    }

    /// By `i` and by its command; Enter tells of the task, as a second click does.
    @Test(arguments: ["i", ":image\n"]) func aTileThatLoadsIsMadeLargeAsFarAsItHasCome(keys: String) throws {
        var driver = gallery()
        let row = try #require(driver.dashboard.state.snapshot.active.first)
        _ = driver.send(sketch(row.task))
        driver.pass(.seconds(1))

        _ = driver.press(keys: keys.map { $0 == "\n" ? .enter : .character($0) })

        #expect(driver.dashboard.state.focus == .preview && driver.dashboard.state.pictures.gallery == nil)
        #expect(driver.dashboard.state.pictures.subject?.live == row.task)
        #expect(driver.text.contains("5 preview") && driver.text.contains("partial, 82 %"), "\(driver.text)")
        #expect(cells(&driver) > 0, "what its tile showed")
        let small = cells(&driver)
        _ = driver.send(sketch(row.task, Self.half(width: 512, height: 384)))
        driver.pass(.seconds(1))
        #expect(cells(&driver) >= small, "what came since")
        _ = driver.press(keys: [.escape])
        #expect(driver.text.contains("5 gallery") && driver.text.contains("1 of "), "\(driver.text)")
        #expect(cells(&driver) > 0, "its tile is as it was")
        _ = driver.press(keys: [.enter])
        #expect(driver.dashboard.state.focus == .detail)
    }

    @Test func theSketchStaysUntilThePictureHasCome() throws {
        var driver = gallery()
        let row = try #require(driver.dashboard.state.snapshot.active.first)
        _ = driver.send(sketch(row.task))
        driver.pass(.seconds(1))
        let drawn = cells(&driver)

        var end = TaskEnd(task: row.task, url: row.url, outcome: .success, receipts: 1)
        end.image = ImageInfo(format: .jpeg, width: 64, height: 48)
        var snapshot = driver.dashboard.state.snapshot
        snapshot.active.removeFirst()
        let ended = PipelineEvent(seq: 990, t: .seconds(61), kind: .taskFinished(end))
        let asked = driver.send(.events([ended], lost: 0)) + driver.send(.snapshot(snapshot))
        #expect(cells(&driver) == drawn, "no placeholder in between")

        let ask = try #require(asked.last { $0.hasPrefix("submitPicture") && $0.hasSuffix(row.url) })
        let number = try #require(ask.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let pixels = (0..<64 * 48).flatMap { _ in [9, 200, 9, 255] as [UInt8] }
        let bitmap = Bitmap(width: 64, height: 48, pixels: pixels)
        let image = DecodedImage(info: ImageInfo(format: .jpeg, width: 64, height: 48), bitmap: bitmap)
        _ = driver.send(.picture(ask: number, .picture(Picture(id: 1, of: image, proof: image))))
        driver.pass(.seconds(1))
        #expect(cells(&driver) == drawn + 21 * 4)
        #expect(driver.dashboard.state.pictures.tileSketches.shown.isEmpty)
    }
}
