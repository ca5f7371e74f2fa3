import SluiceCore
import Testing

@testable import SluiceUI

/// The key that takes the selected image out of the memory cache.
struct DropImageTests {
    private func finished(_ task: Int, _ url: String, image: Bool = true, key: String? = nil) -> AppEvent {
        var end = TaskEnd(task: TaskID(task), url: url, outcome: .success, receipts: 1)
        end.key = key ?? url
        (end.bytes, end.file) = (9_000, "/home/u/Pictures/" + url.split(separator: "/").suffix(1).joined())
        if image { end.image = ImageInfo(format: .png, width: 40, height: 20) }
        return .events([PipelineEvent(seq: task + 900, t: .seconds(61), kind: .taskFinished(end))], lost: 0)
    }

    private func changed(_ verb: CacheChange.Verb, _ url: String) -> AppEvent {
        let change = CacheChange(
            verb: verb,
            key: CacheKey(key: url),
            cost: 3_200,
            usage: 0,
            capacity: 100,
            count: 0,
            why: verb == .removed ? .removedByUser : .fitsCapacity
        )
        return .events([PipelineEvent(seq: 990, t: .seconds(62), kind: .cacheChanged(change))], lost: 0)
    }

    private func answer(_ serial: Int, removed: Int, _ driver: Driver) -> AppEvent {
        var snapshot = driver.dashboard.state.snapshot
        snapshot.removal = ImageRemoval.Answer(serial: serial, removed: removed, freed: removed * 3_200)
        return .snapshot(snapshot)
    }

    private func withImages(_ width: Int = 120, _ height: Int = 36) -> Driver {
        var driver = Driver(.empty, width, height)
        for number in 1...3 { _ = driver.send(finished(number, "http://a/\(number).png")) }
        let bitmap = Bitmap(width: 4, height: 2, pixels: Array(repeating: 200, count: 32))
        let image = DecodedImage(info: ImageInfo(format: .png, width: 40, height: 20), bitmap: bitmap)
        for ask in 1...3 { _ = driver.send(.picture(ask: ask, .picture(Picture(id: ask, of: image, proof: image)))) }
        return driver
    }

    @Test func theImageOfTheRowIsDroppedAndSaidSo() {
        var driver = withImages()
        #expect(driver.press("8c") == ["drop 1 http://a/3.png"], "newest first")
        #expect(!driver.text.contains("from memory"), "only the pipeline knows what was there")
        _ = driver.send(answer(1, removed: 1, driver))
        #expect(driver.text.contains("dropped 3.png from memory, 3.1 KiB freed"))
    }

    @Test func allSelectedImagesAreDroppedAtOnce() {
        var driver = withImages()
        _ = driver.press("8")
        _ = driver.press(keys: [.control("a")])
        let asked = driver.press("c")
        #expect(asked.filter { $0.hasPrefix("drop ") } == ["drop 1 http://a/3.png http://a/2.png http://a/1.png"])
        _ = driver.send(answer(1, removed: 2, driver))
        #expect(driver.text.contains("dropped 2 images from memory"))
        #expect(driver.dashboard.state[list: .finished].selection.isEmpty)
    }

    @Test func whatIsNotInMemorySaysSo() {
        var driver = withImages()
        _ = driver.press("8c")
        _ = driver.send(answer(9, removed: 1, driver))
        #expect(!driver.text.contains("from memory"), "the answer to another question")
        _ = driver.send(answer(1, removed: 0, driver))
        #expect(driver.text.contains("3.png is not in memory"))
    }

    @Test func withoutAnImageNothingIsAsked() {
        var driver = Driver(.empty, 120, 36)
        for keys in ["8c", "5c"] {
            #expect(driver.press(keys) == [])
            #expect(driver.text.contains("no image is selected"))
        }
        _ = driver.send(finished(1, "http://a/1.txt", image: false))
        #expect(driver.press("8c") == [] && driver.text.contains("no image is selected"))
        #expect(driver.press("2c") == [])
        #expect(driver.text.contains("c is for"))
        driver = Driver(.full, 120, 36)
        _ = driver.press("I")
        #expect(driver.press("c") == [] && driver.text.contains("this image is not in memory yet"))
    }

    @Test func previewAndGalleryDropWhatTheyShow() {
        var driver = withImages()
        #expect(driver.press("5c") == ["drop 1 http://a/3.png"])
        _ = driver.press("I")
        #expect(driver.press(keys: [.right, .character("c")]) == ["drop 2 http://a/2.png"])
    }

    @Test func thereIsACommandForIt() {
        var driver = withImages()
        _ = driver.press("8")
        #expect(driver.press(keys: ":purge image".map { .character($0) } + [.enter]).contains("drop 1 http://a/3.png"))
    }

    @Test func theDetailSaysOnlyWhatIsKnownOfMemory() {
        var driver = withImages()
        _ = driver.press(keys: [.character("8"), .enter])
        #expect(driver.text.contains("decoded     3.1 KiB at 4 bytes a pixel"), "\(driver.text)")
        _ = driver.send(changed(.added, "http://a/3.png"))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("in memory   3.1 KiB"), "\(driver.text)")
        _ = driver.send(changed(.removed, "http://a/3.png"))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("decoded     3.1 KiB · not in memory"), "\(driver.text)")
    }

    /// A filter leaves out the query, and headers are told apart.
    @Test(arguments: [
        ("http://a/4.png?t=5", "http://a/4.png", "http://a/4.png?t=5"),
        ("http://a/4.png", "http://a/4.png #01234567", "http://a/4.png"),
        ("http://a/4.png", "http://a/4.png", "http://a/4.png #01234567"),
    ])
    func theImageInMemoryIsThatOfTheTasksOwnKey(url: String, key: String, other: String) {
        var driver = withImages()
        _ = driver.send(finished(4, url, key: key))
        _ = driver.press(keys: [.character("8"), .enter])
        for verb in [CacheChange.Verb.added, .removed] {
            _ = driver.send(changed(verb, other))
            driver.pass(.seconds(1))
            #expect(driver.text.contains("decoded     3.1 KiB at 4 bytes a pixel"), "\(driver.text)")
        }
        _ = driver.send(changed(.added, key))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("in memory   3.1 KiB"), "\(driver.text)")
        _ = driver.send(changed(.removed, key))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("decoded     3.1 KiB · not in memory"), "\(driver.text)")
    }

    @Test func thePreviewSaysWhetherItsImageIsStillInMemory() {
        var driver = withImages(200, 50)
        _ = driver.press("i")
        #expect(driver.text.contains("32 B in memory"))
        #expect(driver.text.contains("drop image"))
        _ = driver.send(changed(.removed, "http://a/3.png"))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("32 B, not in memory"))
        #expect(!driver.text.contains("drop image"), "a key that would do nothing is not advertised")
        _ = driver.send(changed(.added, "http://a/3.png #01234567"))
        driver.pass(.seconds(1))
        #expect(driver.text.contains("32 B in memory"))
    }

    @Test func theHelpNamesTheKeyWhereImagesAreChosen() {
        #expect(KeyMap.standard.help(.pictures).contains { $0 == ("c", "drop image from memory") })
        #expect(KeyMap.standard.help(.cache).map(\.label) == ["C", "M", "⏎"], "all of them hold in its panel")
    }

    @Test func aRecordingIsLeftAlone() {
        #expect(KeyAction.dropImage.refusalInReplay?.contains("can't be changed") == true)
    }
}
