import SluiceCore
import Testing

@testable import SluiceUI

/// Preview and gallery, as events and keys change them.
struct PicturesTests {
    private static func image(_ width: Int, _ height: Int, frames: Int = 1, color: UInt8 = 200) -> Picture {
        let bitmaps = (0..<frames).map { index in
            let pixel: [UInt8] = [color, UInt8(index * 20), 40, 255]
            let pixels = (0..<width * height).flatMap { _ in pixel }
            return Animation.Frame(
                bitmap: Bitmap(width: width, height: height, pixels: pixels),
                delay: .milliseconds(100)
            )
        }
        let image = DecodedImage(
            info: ImageInfo(format: frames > 1 ? .gif : .png, width: width, height: height, frames: frames),
            bitmap: bitmaps[0].bitmap,
            animation: frames > 1 ? Animation(frames: bitmaps, loops: 0) : nil
        )
        return Picture(id: Int(color) + frames, of: image, proof: image)
    }

    private static func finished(_ task: Int, _ url: String, width: Int = 40, height: Int = 20) -> AppEvent {
        var end = TaskEnd(task: TaskID(task), url: url, outcome: .success, receipts: 1)
        (end.bytes, end.file) = (9_000, "/home/u/Pictures/" + url.split(separator: "/").suffix(1).joined())
        end.image = ImageInfo(format: .png, width: width, height: height)
        return .events([PipelineEvent(seq: task + 900, t: .seconds(61), kind: .taskFinished(end))], lost: 0)
    }

    private static func answer(_ ask: Int, _ receipt: Int?) -> AppEvent {
        var news = Submission(
            url: "http://a/1.png",
            outcome: receipt == nil ? .rejected : .joined,
            why: .queueSuspended,
            origin: .view(ask)
        )
        (news.receipt, news.task) = (receipt.map { ReceiptID($0) }, TaskID(77))
        return .events([PipelineEvent(seq: 990, t: .seconds(61), kind: .requestSubmitted(news))], lost: 0)
    }

    private static let wide = (width: 120, height: 36)

    private func driver(_ width: Int = wide.width, _ height: Int = wide.height) -> Driver {
        Driver(.empty, width, height)
    }

    private func cells(_ text: String) -> Int { text.filter { $0 == "▀" }.count }
    private func cells(_ driver: inout Driver) -> Int { cells(driver.text) }

    /// In the gallery and large: what is looked at is what a key is for.
    @Test func filesAndURLsOfPicturesAreOpenedAndCopied() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        _ = driver.send(Self.finished(2, "http://a/2.png"))
        _ = driver.press("I")
        #expect(driver.press("y") == ["copy /home/u/Pictures/2.png"])
        _ = driver.press(keys: [.right])
        #expect(driver.press("y") == ["copy /home/u/Pictures/1.png"])
        #expect(driver.press("Y") == ["copy http://a/1.png"])
        #expect(driver.press("o") == ["open /home/u/Pictures/1.png"])
        _ = driver.press("i")
        #expect(driver.press("y") == ["copy /home/u/Pictures/1.png"])
        _ = driver.press("[")
        #expect(driver.press("y") == ["copy /home/u/Pictures/2.png"])
    }

    /// The first tile is the newest one's, until somebody goes to it or does something with it.
    @Test(arguments: ["home", "y", "Y", "o", "c", "i esc"]) func theFirstTileIsHeldOnceItIsUsed(keys: String) {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        _ = driver.press("I")
        _ = driver.send(Self.finished(2, "http://a/2.png"))
        #expect(driver.dashboard.state.picturedURL == "http://a/2.png", "nobody looked at another")
        _ = driver.press(keys: keys.split(separator: " ").compactMap { Key(name: String($0)) })
        _ = driver.send(Self.finished(3, "http://a/3.png"))
        #expect(driver.dashboard.state.picturedURL == "http://a/2.png")
    }

    @Test func aFinishedImageIsAskedForOnceAndShown() {
        var driver = driver()
        let before = driver.text
        #expect(before.contains("no picture yet"))
        #expect(driver.send(Self.finished(1, "http://a/1.png")) == ["submitPicture 1 http://a/1.png"])
        driver.pass(.seconds(1))

        #expect(driver.send(.picture(ask: 1, .picture(Self.image(40, 20)))) == [])

        let text = driver.text
        #expect(cells(text) == 400, "40 × 10 cells")
        #expect(text.contains("1.png") && text.contains("png 40×20"))
        #expect(driver.send(.wake) == [], "nothing is asked again")
    }

    @Test func anImageThatIsFetchedAgainIsShownAnew() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        _ = driver.send(.picture(ask: 1, .picture(Self.image(40, 20))))
        #expect(driver.send(Self.finished(2, "http://a/1.png", width: 80)) == ["submitPicture 2 http://a/1.png"])
        #expect(cells(&driver) == 400, "the old one stays until then")
        _ = driver.send(.picture(ask: 2, .picture(Self.image(20, 20, color: 90))))
        #expect(cells(&driver) == 200)
        #expect(driver.send(.wake) == [])
    }

    @Test func aSmallScreenAsksForNothingUntilItIsOpened() {
        var driver = driver(80, 24)
        #expect(driver.send(Self.finished(1, "http://a/1.png")) == [])
        #expect(driver.press("i") == ["submitPicture 1 http://a/1.png"])
        _ = driver.send(.picture(ask: 1, .picture(Self.image(40, 20))))
        #expect(cells(&driver) > 300)
        #expect(driver.press("i") == [], "the answer has come, so nothing is dropped")
        #expect(cells(&driver) == 0)
    }

    @Test func whatIsNeitherInMemoryNorAFileSaysSo() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        #expect(driver.send(.picture(ask: 1, .none("not stored"))) == ["readPicture 1 http://a/1.png"])
        #expect(driver.send(.picture(ask: 1, .none("neither in memory nor saved"))) == [])
        let text = driver.text
        #expect(text.contains("✗ no picture") && text.contains("neither in memory nor saved"))
    }

    @Test func thePicturesOwnRequestsAreNoNews() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        let count = driver.dashboard.state.news.log.count
        #expect(driver.send(Self.answer(1, 5)) == [])
        #expect(driver.dashboard.state.news.log.count == count && driver.dashboard.state.news.joined == 0)
        #expect(
            driver.send(Self.finished(2, "http://a/2.png")) == [
                "dropPicture 1", "cancel 5", "submitPicture 2 http://a/2.png",
            ]
        )
        #expect(driver.send(Self.answer(1, 6)) == ["cancel 6"], "a receipt that comes too late")
        let end = ReceiptEnd(receipt: ReceiptID(6), task: TaskID(77), url: "http://a/1.png", outcome: .cancelled)
        let after = driver.dashboard.state.news.log.count
        _ = driver.send(.events([PipelineEvent(seq: 991, t: .seconds(61), kind: .receiptFinished(end))], lost: 0))
        #expect(driver.dashboard.state.news.log.count == after)
    }

    /// The HTTP cache may answer a picture by a task, which stands in no list; unless the user asks too.
    @Test(arguments: [false, true]) func aTaskThatOnlyPicturesAskedForIsNoRow(isJoined: Bool) {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        let (rows, log) = (driver.dashboard.state.news.ended.count, driver.dashboard.state.news.log.count)
        func submitted(_ origin: DownloadRequest.Source, _ outcome: Submission.Outcome, _ receipt: Int) -> AppEvent {
            var news = Submission(url: "http://a/1.png", outcome: outcome, why: .queueSuspended, origin: origin)
            (news.receipt, news.task, news.source) = (ReceiptID(receipt), TaskID(2), .disk)
            return .events([PipelineEvent(seq: 900, t: .seconds(61), kind: .requestSubmitted(news))], lost: 0)
        }
        _ = driver.send(submitted(.view(1), .cached, 8))
        if isJoined { _ = driver.send(submitted(.prompt, .joined, 9)) }
        _ = driver.send(Self.finished(2, "http://a/1.png"))
        #expect(driver.dashboard.state.news.ended.count == rows + (isJoined ? 1 : 0))
        #expect(driver.dashboard.state.news.log.count == log + (isJoined ? 2 : 0))
        #expect(driver.dashboard.state.pictures.tasks.isEmpty)
    }

    @Test func thePreviewShowsTheFocusedRow() {
        func subject(_ driver: Driver) -> String? { driver.dashboard.state.pictures.subject?.name }
        var driver = Driver(.full, Self.wide.width, Self.wide.height)
        #expect(subject(driver) == "andes-night.jpg", "the image that was finished last, before anybody looks")
        _ = driver.press("2")
        #expect(subject(driver) == "orion-nebula-hubble.tif")
        _ = driver.press("1")
        #expect(subject(driver) == "dunes-4096.jpg")
        _ = driver.press("/iss")
        #expect(subject(driver) == "iss069e0031.png")
        _ = driver.press(keys: [.escape, .tab])
        #expect(subject(driver) == "orion-nebula-hubble.tif")
        _ = driver.press("8j")
        #expect(subject(driver) == "old-map.png", "which has no picture, and no other row's")
        _ = driver.press("9")
        #expect(subject(driver) == "old-map.png")
    }

    @Test func theGalleryShowsAllImagesAndOpensOne() {
        var driver = driver()
        for number in 1...7 { _ = driver.send(Self.finished(number, "http://a/\(number).png")) }
        let asks = driver.press("I")
        #expect(asks.filter { $0.hasPrefix("submitPicture") }.count == 7, "\(asks)")
        for ask in 1...20 { _ = driver.send(.picture(ask: ask, .picture(Self.image(22, 16, color: UInt8(ask))))) }
        let text = driver.text
        #expect(text.contains("5 gallery") && text.contains("1 of 7"))
        #expect(cells(text) == 7 * 22 * 8)
        for number in 1...7 { #expect(text.contains("\(number).png")) }

        #expect(driver.press(keys: [.right, .down]) == [])
        #expect(driver.text.contains("7 of 7"), "one to the right and a row of five down")
        let asked = driver.press(keys: [.enter])
        #expect(asked.contains { $0.hasSuffix("http://a/1.png") })
        _ = driver.send(.picture(ask: 16, .picture(Self.image(40, 20))))
        #expect(driver.text.contains("5 preview"))
        _ = driver.press(keys: [.escape])
        #expect(driver.text.contains("5 gallery") && driver.text.contains("7 of 7"), "where it was")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active && !driver.dashboard.state.isMaximised)
    }

    @Test func upAndDownStayInTheirColumn() {
        var driver = driver()
        for number in 1...7 { _ = driver.send(Self.finished(number, "http://a/\(number).png")) }
        _ = driver.press("I")
        for ask in 1...20 { _ = driver.send(.picture(ask: ask, .picture(Self.image(22, 16, color: UInt8(ask))))) }
        let steps: [(key: Key, place: String)] = [
            (.right, "2 of 7"), (.up, "2 of 7"), (.down, "7 of 7"), (.down, "7 of 7"), (.left, "6 of 7"),
            (.down, "6 of 7"), (.up, "1 of 7"), (.end, "7 of 7"), (.home, "1 of 7"), (.pageDown, "6 of 7"),
        ]
        for (key, place) in steps {
            _ = driver.press(keys: [key])
            #expect(driver.text.contains(place), "\(key)")
        }
        _ = driver.press(keys: [.pageUp, .right, .right, .right, .right, .down])
        #expect(driver.text.contains("7 of 7"), "the last row is shorter")
    }

    @Test func aTileThatLoadsOpensTheDetailOfItsTaskAndTheGalleryComesBack() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("I")
        _ = driver.press(keys: [.right, .enter])
        #expect(driver.dashboard.state.focus == .detail)
        #expect(driver.dashboard.state.detail.task == TaskID(2))
        #expect(driver.text.contains("iss069e0031.png") && driver.text.contains("task 2"))
        _ = driver.press("]")
        #expect(driver.dashboard.state.detail.task == TaskID(3), "as from the active list")
        _ = driver.press(keys: [.escape])
        #expect(driver.text.contains("5 gallery") && driver.text.contains("2 of 6"), "where it was")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.focus == .active && driver.dashboard.state.pictures.gallery == nil)

        var empty = self.driver()
        _ = empty.press("I")
        _ = empty.press(keys: [.enter])
        #expect(empty.text.contains("no image to look at yet"))
    }

    @Test func theSmallestScreenHasNamesAndThePictureOfTheSelected() {
        var driver = driver(40, 8)
        for number in 1...5 { _ = driver.send(Self.finished(number, "http://a/\(number).png")) }
        var asks = driver.press("I").filter { $0.hasPrefix("submitPicture") }
        #expect(asks.count == 1 && asks.allSatisfy { $0.hasSuffix("5.png") }, "no other is seen")
        for ask in 1...9 { _ = driver.send(.picture(ask: ask, .picture(Self.image(9, 6, color: UInt8(ask))))) }
        #expect(cells(&driver) == 27)
        for number in 3...5 { #expect(driver.text.contains("✓ \(number).png")) }
        #expect(!driver.text.contains("2.png"))
        asks = driver.press(keys: [.down, .down, .down]).filter { $0.hasPrefix("submitPicture") }
        #expect(asks.map { $0.suffix(5) } == ["4.png", "3.png", "2.png"])
        #expect(driver.text.contains("▌✓ 2.png") && !driver.text.contains("5.png"))
    }

    /// Eight rows to a tile would leave half of 24 rows empty.
    @Test func aLowScreenHasTwoRowsOfLowerTiles() {
        var driver = driver(80, 24)
        for number in 1...6 { _ = driver.send(Self.finished(number, "http://a/\(number).png")) }
        _ = driver.press("I")
        for ask in 1...20 { _ = driver.send(.picture(ask: ask, .picture(Self.image(22, 14, color: UInt8(ask))))) }
        let text = driver.text
        #expect(cells(text) == 6 * 22 * 7)
        for number in 1...6 { #expect(text.contains("\(number).png")) }
        _ = driver.press(keys: [.down])
        #expect(driver.text.contains("4 of 6"), "a row of three down")
    }

    @Test func anAnimationMovesWhileItIsLookedAt() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.gif"))
        _ = driver.send(.picture(ask: 1, .picture(Self.image(4, 4, frames: 3))))
        let first = driver.dashboard.state.pictures.player.index
        driver.pass(.seconds(5))
        #expect(driver.dashboard.state.pictures.player.index == first, "nobody looks at it, and nothing else moves")
        #expect(driver.dashboard.nextWake(after: driver.now) == nil)

        _ = driver.press("5")
        #expect(driver.dashboard.nextWake(after: driver.now) == driver.now + .milliseconds(100))
        driver.pass(.milliseconds(100))
        #expect(driver.dashboard.state.pictures.player.index == 1)
        // 392 cells change, whose bytes are worth a pause.
        driver.pass(.milliseconds(100))
        #expect(driver.dashboard.state.pictures.player.index == 1)
        driver.pass(.milliseconds(150))
        driver.pass(.milliseconds(250))
        #expect(driver.dashboard.state.pictures.player.index == 0, "and again from the start")

        _ = driver.send(.focus(false))
        #expect(driver.dashboard.nextWake(after: driver.now) == nil)
    }

    @Test func whatArrivesIsShownWhileItIsLoaded() throws {
        var driver = Driver(.full, 120, 36)
        let row = try #require(driver.dashboard.state.snapshot.active.first)
        _ = driver.press("j")
        _ = driver.press("k")
        let observed = row.task
        #expect(driver.dashboard.state.pictures.observed == [observed])
        let bitmap = Self.image(40, 20).frames[0].bitmap
        _ = driver.send(.sketch(PictureSketch(task: TaskID(9_999), bitmap: bitmap)))
        driver.pass(.seconds(1))
        #expect(cells(&driver) == 0, "the sketch of another task")
        _ = driver.send(.sketch(PictureSketch(task: observed, bitmap: bitmap)))
        driver.pass(.seconds(1))
        #expect(cells(&driver) == 400)
        #expect(driver.text.contains("partial"))
    }

    @Test func zoomShowsAPartAndArrowsMoveIt() {
        var driver = driver()
        _ = driver.send(Self.finished(1, "http://a/1.png"))
        _ = driver.send(.picture(ask: 1, .picture(Self.image(400, 300))))
        _ = driver.press("i")
        _ = driver.press("z")
        #expect(driver.text.contains("zoom ×2"))
        let x = driver.dashboard.state.pictures.zoom.x
        _ = driver.press(keys: [.left])
        #expect(driver.dashboard.state.pictures.zoom.x < x)
        for _ in 0..<20 { _ = driver.press(keys: [.right]) }
        #expect(driver.dashboard.state.pictures.zoom.x == 750, "not beyond the edge")
        _ = driver.press("z")
        _ = driver.press("z")
        #expect(!driver.text.contains("zoom ×"))
    }

    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50), (24, 10), (27, 7)])
    func everySizeHasAPreviewAndAGallery(width: Int, height: Int) {
        for keys in ["i", "I", "5", "55"] {
            var driver = driver(width, height)
            for number in 1...3 { _ = driver.send(Self.finished(number, "http://a/\(number).png")) }
            _ = driver.press(keys)
            for ask in 1...20 { _ = driver.send(.picture(ask: ask, .picture(Self.image(64, 48, color: UInt8(ask))))) }
            Golden.expectWhole(driver.frame, width, height)
        }
    }
}
