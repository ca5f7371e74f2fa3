import SluiceCore
import Testing

@testable import SluiceUI

/// What the prompt says of a setting while its value is typed.
struct SettingHintTests {
    @Test(arguments: [
        ("cachePreferred", "0 means that a purge leaves nothing"), ("cacheCapacity", "0 means no limit"),
        ("httpCapacity", "0 means no limit"), ("httpMemory", "0 means no limit"), ("limitRate", "0 means no limit"),
        ("maxFileSize", "0 means no limit"), ("timeout", "0 means no limit"), ("maxRetryAfter", "0 means no limit"),
        ("maxPerHost", "0 means no limit"), ("connectTimeout", "0 means the default, 15 s"),
        ("failedFor", "0 means that none is remembered"),
    ])
    func whatZeroDoesIsToldAsItIs(name: String, words: String) {
        for command in [":\(name) 0", ":set \(name) 0"] {
            var driver = Driver(.full, 200, 50)
            _ = driver.press(command)
            #expect(driver.text.contains("; \(words)"), "\(driver.text)")
        }
    }

    /// Beside the keys that always stand, and with values that take much room.
    @Test(arguments: Settings.names) func inEightyColumnsItIsToldToItsEnd(name: String) {
        var large = Settings()
        let size = 1_023 << 20
        (large.cacheCapacity, large.cachePreferred, large.httpCapacity, large.httpMemory) = (size, size, size, size)
        (large.limitRate, large.maxFileSize, large.policy) = (size, size, .cacheElseLoad)
        (large.timeout, large.connectTimeout) = (.seconds(86_400), .seconds(86_400))
        (large.maxRetryAfter, large.failedFor) = (.seconds(86_400), .seconds(86_400))
        let words = Settings.words(of: name).joined(separator: " ")
        let ends = [SettingText.allowed(name), SettingText.allowedInBrief(name), words].compactMap(\.self)
        for settings in [Settings(), large] {
            var scene = Scene.full
            scene.snapshot.settings = settings
            for command in [":\(name) ", ":set \(name) "] {
                var driver = Driver(scene, 80, 24)
                _ = driver.press(command)
                let rows = driver.text.split(separator: "\n").suffix(2).map(String.init)
                #expect(rows.contains { row in ends.contains { !$0.isEmpty && row.contains($0) } }, "\(rows)")
                #expect(rows.last?.contains("F1 help  ^C clear") == true, "\(rows)")
            }
        }
    }

    @Test func whereWordsAreToChooseFromTheOneThatHoldsIsBright() {
        var scene = Scene.full
        scene.snapshot.settings.policy = .reload
        var driver = Driver(scene, 80, 24)
        _ = driver.press(":policy ")
        let canvas = driver.frame.canvas
        let row = canvas.row(23)
        #expect(row.contains("protocol cacheElseLoad cacheOnly reload revalidate refresh"), "\(row)")
        let bright = canvas.cells(inRow: 23).filter { $0.style.foreground == Palette.dark.color(.bright) }
        #expect(String(bright.compactMap(\.character)) == "reload")
    }

    /// A number that is one like others has no sense of its own.
    @Test(arguments: ["retries", "maxActive", "activationDelay", "completionDelay", "maxPixels", "suspended"])
    func whereZeroIsOneOfManyNothingIsTold(name: String) {
        #expect(SettingText.allowed(name) == Settings.allowed(name))
        #expect(SettingText.allowed(name)?.contains("0 means") == false)
    }

    /// An empty list reads as `none`, and is typed as it reads.
    @Test(arguments: [":set keyFilter none", ":keyFilter none", ":set keyFilter \"\"", ":keyFilter \"\""])
    func aListIsEmptiedByTheWordForIt(line: String) {
        var scene = Scene.full
        scene.snapshot.settings.keyFilter = ["token"]
        var driver = Driver(scene, 200, 50)
        _ = driver.press(line)
        #expect(driver.text.contains("now token · names with commas between them, or *, or none"), "\(driver.text)")
        #expect(driver.press(keys: [.enter]).last == "set keyFilter none")
        #expect(driver.dashboard.state.snapshot.settings.keyFilter == [])
        #expect(driver.dashboard.state.message?.text == "keyFilter is none")
    }

    @Test(arguments: [("[\"token\", \"sid\"]", ["token", "sid"]), ("[]", [])]) func aListIsTakenAsTheFileHasIt(
        text: String,
        names: [String]
    ) throws {
        let change = SettingChange(name: "keyFilter", value: .list(names))
        for line in ["set keyFilter \(text)", "keyFilter \(text)"] {
            #expect(try CommandTable.parse(line) == .set([change]))
        }
    }

    @Test func besideOthersTheWordIsAName() throws {
        let change = SettingChange(name: "keyFilter", value: .list(["none", "sid"]))
        #expect(try CommandTable.parse("set keyFilter none,sid") == .set([change]))
    }

    @Test func everySettingSaysWhatItAllows() {
        for name in Settings.names { #expect(SettingText.allowed(name)?.isEmpty == false, "\(name)") }
        #expect(SettingText.allowed("nonsense") == nil)
    }
}

/// What is answered to a setting that was typed.
struct SettingAnswerTests {
    @Test(arguments: [
        (":cache 5", "cacheCapacity is 5 B, and with it cachePreferred is 3 B; 5M sets 5 MiB"),
        (":limitRate 3", "limitRate is 3 B/s; 3M sets 3 MiB/s"),
        (":throttle 3/s", "limitRate is 3 B/s; 3M sets 3 MiB/s"),
        (":set maxFileSize 1023", "maxFileSize is 1023 B; 1023M sets 1023 MiB"),
        (":limit 200", "dunes-4096.jpg limited to 200 B/s; 200M sets 200 MiB/s"),
        (":limitRate 1024", "limitRate is 1 KiB/s"), (":limitRate 5B", "limitRate is 5 B/s"),
        (":limitRate 5 B", "limitRate is 5 B/s"), (":cachePreferred 0", "cachePreferred is 0 B"),
        (":retries 5", "retries is 5"),
    ])
    func aSmallNumberWithoutAUnitIsToldInFull(line: String, answer: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.enter(line)
        #expect(driver.dashboard.state.message?.text == answer)
    }

    /// The same as by the option and in the file.
    @Test(arguments: [
        ("15", 9), ("10M", 6_291_456), ("80M", 50_331_648), ("100M", 62_914_560), ("1G", 62_914_560),
        ("0", 62_914_560),
    ])
    func aSizeOfTheCacheLeavesTheSameHoweverItIsTyped(size: String, preferred: Int) {
        for line in [":cache \(size)", ":cacheCapacity \(size)", ":set cacheCapacity \(size)"] {
            var driver = Driver(.full, 120, 36)
            _ = driver.enter(line)
            let settings = driver.dashboard.state.snapshot.settings
            #expect(settings.cachePreferred == preferred, "\(line)")
            #expect(ByteCount.parse(size) == settings.cacheCapacity, "\(line)")
        }
    }

    @Test func whatWasChosenStaysAsLongAsItFits() {
        var driver = Driver(.full, 120, 36)
        _ = driver.enter(":cachePreferred 50M")
        #expect(driver.enter(":cacheCapacity 80M") == ["set cacheCapacity 83,886,080"])
        let both = ["set cachePreferred 25,165,824", "set cacheCapacity 41,943,040"]
        #expect(driver.enter(":cacheCapacity 40M") == both)
    }

    @Test(arguments: [":cacheCapacity 10M", ":set cacheCapacity 10M"])
    func aSmallerCacheTakesWhatAPurgeLeavesDownWithIt(line: String) {
        var driver = Driver(.full, 120, 36)
        #expect(driver.enter(line) == ["set cachePreferred 6,291,456", "set cacheCapacity 10,485,760"])
        let answer = "cacheCapacity is 10 MiB, and with it cachePreferred is 6 MiB"
        #expect(driver.dashboard.state.message?.text == answer)
        let back = ["set cacheCapacity 209,715,200", "set cachePreferred 62,914,560"]
        #expect(driver.enter(":cacheCapacity 200M") == back, "and back, since nobody chose it")
        let said = "cacheCapacity is 200 MiB, and with it cachePreferred is 60 MiB"
        #expect(driver.dashboard.state.message?.text == said)
    }
}
