import SluiceCore
import Testing

@testable import SluiceUI

struct CommandTableTests {
    private func message(_ text: String) -> String {
        do throws(CommandError) {
            return "\(try CommandTable.parse(text))"
        } catch {
            return "\(error.place): \(error.message)"
        }
    }

    @Test(arguments: [
        ("order lifo", PromptCommand.set([SettingChange(name: "order", value: .word("lifo"))])),
        ("set  maxActive   8 ", .set([SettingChange(name: "maxActive", value: .integer(8))])),
        ("slots 8", .set([SettingChange(name: "maxActive", value: .integer(8))])),
        ("timeout 2.5", .set([SettingChange(name: "timeout", value: .seconds(2.5))])),
        ("limitRate 2M/s", .set([SettingChange(name: "limitRate", value: .integer(2_097_152))])),
        ("throttle 2M", .set([SettingChange(name: "limitRate", value: .integer(2_097_152))])),
        ("limit 200K", .limitTasks(204_800)), ("rate 200K", .limitTasks(204_800)),
        (
            "cache 200M",
            .set([
                SettingChange(name: "cachePreferred", value: .integer(62_914_560)),
                SettingChange(name: "cacheCapacity", value: .integer(209_715_200)),
            ])
        ),
        ("purge", .key(.clearCache)), ("cancel all", .key(.cancelAll)), ("cancel", .key(.cancelReceipt)),
        ("pause", .pause), ("resume all", .resumeAll), ("forget", .forget), ("forget all", .forgetAll),
        ("import my list.txt", .importList("my list.txt")), ("import @my list.txt", .importList("my list.txt")),
        ("prefetch @ ~/a", .prefetchList("~/a")), ("prefetch ./@a", .prefetchList("./@a")),
        ("prefetch ~/a", .prefetchList("~/a")), ("order", .tell("order")), ("set order", .tell("order")),
        ("focus cache", .key(.focus(.cache))), ("add a.example b", .add("a.example b")), (" help ", .key(.help)),
    ])
    func commandsAreRead(text: String, command: PromptCommand) throws {
        #expect(try CommandTable.parse(text) == command)
    }

    @Test(arguments: [
        ("prge", "0: there is no command :prge; did you mean :purge?"),
        ("xyzzy", "0: there is no command :xyzzy; Tab completes, :help names all"),
        ("order up", "6: order can be fifo or lifo, not \"up\""),
        ("set order up", "10: order can be fifo or lifo, not \"up\""),
        ("set maxActve 3", "4: there is no setting maxActve; did you mean maxActive?"),
        ("set", "3: a setting and a value must follow: :set maxActive 8"),
        ("import", "6: a file must follow"), ("import @", "7: a file must follow"),
        ("prefetch https://a.example/[1-3].png", "9: a file of URLs must follow, and not a URL"),
        ("pressure all", "9: :pressure takes nothing"),
        ("purge all", "6: :purge is for all images in memory, :purge image for the selected one; it takes no \"all\""),
        ("cancel 99", "7: :cancel is for what is selected, :cancel all for all; it takes no \"99\""),
        ("retry 7", "6: :retry is for what is selected, :retry all for all; it takes no \"7\""),
        ("pause 7", "6: :pause is for what is selected, :pause all for all; it takes no \"7\""),
        ("abort 7", "6: :abort is for what is selected; it takes no \"7\""),
        ("top 7", "4: :top is for what is selected; it takes no \"7\""),
        ("priority 7", "9: high, low or normal can follow, not \"7\""),
        ("priority", "8: high, low or normal can follow"),
        ("url https://a.example/[9-3]", "4: [9-3]: a series counts up: [3-9]; a [ that is meant itself is %5B"),
        ("  slots 65", "8: maxActive can be a whole number from 1 to 64, not \"65\""),
        ("mouse maybe", "6: off or on can follow, or nothing, not \"maybe\""),
        ("go", "2: a word must follow: down, first, halfdown, halfup, last, left, pagedown, pageup, right or up"),
        ("sort zzz", "5: \"zzz\" can't follow, but host, name, outcome, progress, rate, size or time"),
        ("select 3", "7: all, none or range can follow, or nothing, not \"3\""),
        ("quitt", "0: there is no command :quitt; did you mean :quit?"),
        ("", "0: a command's name is missing: :help names them, Tab completes"),
    ])
    func badCommandsSayWhereAndWhatIsAllowed(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test func everySettingAndEveryKeyOfAListHasACommand() {
        let names = Set(CommandTable.all.map(\.name))
        #expect(names.count == CommandTable.all.count, "no name stands twice")
        #expect(Settings.names.allSatisfy(names.contains))
        #expect(CommandTable.help.filter { $0.text.count > 22 }.map(\.text) == [])
    }
}

struct CommandKeyTests {
    @Test func aColonOpensThePromptAndComesBack() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":order lifo")
        #expect(driver.text.contains("run › :order lifo"))
        #expect(driver.text.contains("now fifo · fifo or lifo"))
        #expect(driver.press(keys: [.enter]) == ["saveHistory 1", "set order lifo"])
        #expect(driver.dashboard.state.mode == .lists)
        #expect(driver.text.contains("order is lifo"))
    }

    @Test func aTimeStandsInTheSecondsInWhichItIsTyped() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(":failedFor ")
        #expect(driver.text.contains("now 600 s · "))
        _ = driver.press("90")
        #expect(driver.press(keys: [.enter]) == ["saveHistory 1", "set failedFor 90.0 s"])
        #expect(driver.text.contains("failedFor is 90 s"))
    }

    @Test func aCommandInThePromptStaysThere() {
        var driver = Driver(.full, 80, 24, prompt: true)
        #expect(driver.press(":slots 8") == [])
        #expect(driver.press(keys: [.enter]) == ["saveHistory 1", "set maxActive 8"])
        #expect(driver.dashboard.state.mode == .prompt)
    }

    @Test func whatIsWrongStandsUnderItsWord() throws {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":order up now")
        #expect(driver.press(keys: [.enter]) == [])
        let lines = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[22].contains("run › :order up now"))
        let mark = try #require(lines[23].firstIndex(of: "▴"))
        let word = try #require(lines[22].firstRange(of: "up"))
        #expect(
            lines[23].distance(from: lines[23].startIndex, to: mark)
                == lines[22].distance(from: lines[22].startIndex, to: word.lowerBound)
        )
        #expect(lines[23].contains("order can be fifo or lifo, not \"up now\""))
        _ = driver.press(keys: [.left])
        #expect(!driver.text.contains("not \"up now\""), "the next key takes it away, and the text stays")
        #expect(driver.dashboard.state.prompt.editor.text == ":order up now")
    }

    /// The column of the word in the prompt, that of the mark under it, and the row of the mark.
    private func blame(
        _ line: String,
        _ word: String,
        _ width: Int = 80,
        _ height: Int = 24
    ) throws -> (word: Int, mark: Int, row: String) {
        var driver = Driver(.full, width, height, prompt: true)
        #expect(driver.enter(line) == [])
        let lines = driver.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let (prompt, row) = (lines[height - 2], lines[height - 1])
        let mark = try #require(row.firstIndex(of: "▴"), "\(driver.text)")
        let place = try #require(prompt.firstRange(of: word), "\(driver.text)")
        return (
            prompt.distance(from: prompt.startIndex, to: place.lowerBound),
            row.distance(from: row.startIndex, to: mark), row
        )
    }

    @Test(arguments: [
        (":focus zzz", "zzz", "▴ \"zzz\" can't follow; Tab behind :focus names what can "),
        (":limitRate fast", "fast", "▴ a size a second can follow, as 200K or 2M; 0 means no limit "),
        (":add https://a.example/x nonsense", "nonsense", "▴ no URL: nonsense; a blank in a URL is %20 "),
        (":cachePreferred 900M", "900M", "▴ cachePreferred, 900 MiB, is more than "),
    ])
    func theMarkStandsUnderTheWordHoweverLongTheMessage(line: String, word: String, text: String) throws {
        let found = try blame(line, word)
        #expect(found.word == found.mark)
        #expect(found.row.contains(text), "\(found.row)")
    }

    @Test func whereThereIsNoRoomBehindTheMarkTheMessageStandsBeforeIt() throws {
        let urls = (1...8).map { "https://a.example/\($0).jpg" }.joined(separator: " ")
        let found = try blame(urls + " nonsense", "nonsense")
        #expect(found.word == found.mark && found.mark > 60)
        #expect(found.row.contains(" no URL: nonsense; a blank in a URL is %20 ▴ "), "\(found.row)")
        for width in [90, 120] {
            let found = try blame("https://a.example/x nonsense http://b.example/", "nonsense", width)
            #expect(found.word == found.mark, "\(width): \(found.row)")
        }
    }

    @Test(arguments: [
        (":set maxPixels 1e9", " maxPixels can be a whole number from 1 to 1000000000000, not \"1e9\" "),
        (":sort zzz", " \"zzz\" can't follow, but host, name, outcome, progress, rate, size or time "),
        (":go sideways", " :go down, first, halfdown, halfup, last, left, pagedown, pageup, right or up "),
        (":set cachePreferred much", " a size can follow, as 200K or 2M; 0 means that a purge leaves nothing "),
    ]) func whatIsAllowedIsReadToItsEnd(line: String, text: String) {
        var driver = Driver(.full, 80, 24, prompt: true)
        #expect(driver.enter(line) == [])
        let row = driver.hints
        #expect(row.hasPrefix(text), "\(row)")
    }

    @Test(arguments: [40, 50, 60, 70]) func whereMarkAndMessageDoNotFitTheMessageIsRead(width: Int) {
        var driver = Driver(.empty, width, 16, prompt: true)
        _ = driver.press("https://a.example/x nonsense http://b.example/")
        #expect(driver.press(keys: [.enter]) == [])
        let message = " no URL: nonsense; a blank in a URL is %20"
        let row = driver.text.split(separator: "\n").first { $0.hasPrefix(" no URL: ") } ?? ""
        #expect(!row.contains("▴"), "\(driver.text)")
        #expect(row.hasPrefix(width > message.count ? message : " no URL: nonsense"), "\(driver.text)")
    }

    @Test func aSeriesThatIsNoneIsRefusedWithTheLineKept() {
        var driver = Driver(.full, 120, 36, prompt: true)
        _ = driver.press("https://a.example/[9-3].jpg")
        #expect(driver.text.contains("1 invalid"))
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("▴ [9-3]: a series counts up: [3-9]; a [ that is meant itself is %5B"))
        #expect(driver.dashboard.state.prompt.editor.text == "https://a.example/[9-3].jpg")
    }

    @Test func aSmallerCacheKeepsWhatAPurgeLeavesBelowIt() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":cache 10M")
        #expect(
            driver.press(keys: [.enter]) == [
                "saveHistory 1", "set cachePreferred 6,291,456", "set cacheCapacity 10,485,760",
            ]
        )
        _ = driver.press(":cache 500M")
        #expect(
            driver.press(keys: [.enter]) == [
                "saveHistory 2", "set cacheCapacity 524,288,000", "set cachePreferred 62,914,560",
            ]
        )
        _ = driver.press(":cachePreferred 900M")
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains("cachePreferred, 900 MiB, is more than"))
    }

    @Test func commandsDoWhatKeysDo() {
        var driver = Driver(.full, 80, 24)
        #expect(driver.run("abort") == ["abort 1"])
        #expect(driver.run("pause all") == ["pauseAll"])
        #expect(driver.run("resume all") == ["resumeAll"])
        #expect(driver.run("purge") == ["clearCache"])
        #expect(driver.run("retry all") == ["retry 77"])
        #expect(driver.run("import ~/urls.txt") == ["readList ~/urls.txt"])
        #expect(driver.run("add https://a.example/[1-3]") == ["submit 3 prompt"])
        #expect(driver.run("cancel all") == [])
        #expect(driver.text.contains("abort all 43 tasks?"))
        #expect(driver.press("n") == [])
        #expect(driver.run("help") == [])
        #expect(driver.text.contains(":import FILE") || driver.text.contains("keys of active first"))
    }

    @Test func aListIsPrefetchedWithoutFiles() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press(":prefetch l.txt")
        #expect(driver.press(keys: [.enter]).last == "readList l.txt")
        #expect(
            driver.send(.list(path: "l.txt", .success(["http://a.example/1", "", "# no", "http://a.example/2"]))) == [
                "prefetch 2"
            ]
        )
    }

    @Test(arguments: [":prefetch /tmp/pf.tx", ":import /tmp/pf.tx"])
    func theLineWhoseListCantBeReadStaysForFixing(line: String) {
        for prompt in [false, true] {
            var driver = Driver(.full, 80, 24, prompt: prompt)
            #expect(driver.enter(line) == ["readList /tmp/pf.tx"])
            _ = driver.send(.list(path: "/tmp/pf.tx", .failure(ListError(message: "can't read the list"))))
            #expect(driver.text.contains("run › \(line) ") && driver.text.contains("▴ can't read the list"))
            _ = driver.press("t")
            #expect(driver.press(keys: [.enter]).last == "readList /tmp/pf.txt")
            let effects = driver.send(.list(path: "/tmp/pf.txt", .success(["http://a.example/1"])))
            #expect(effects == [line.hasPrefix(":prefetch") ? "prefetch 1" : "submit 1 list pf.txt:1"])
            #expect(driver.dashboard.state.prompt.editor.isEmpty)
        }
    }

    @Test func aLineBegunMeanwhileIsNotReplaced() {
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.enter(":prefetch gone")
        _ = driver.press("http://a.ex")
        _ = driver.send(.list(path: "gone", .failure(ListError(message: "no file gone"))))
        #expect(driver.dashboard.state.prompt.editor.text == "http://a.ex")
        #expect(driver.text.contains("▴ no file gone"))
        _ = driver.press(keys: [.control("u")])
        #expect(driver.enter("@gone").first == "readList gone")
        _ = driver.send(.list(path: "gone", .failure(ListError(message: "no file gone"))))
        #expect(driver.dashboard.state.prompt.editor.text == "@gone", "it is no command's any more")
    }

    /// What can be done about it stands behind the path.
    @Test func aLongPathGivesWayToTheReason() {
        let path = "/home/ann/" + String(repeating: "folder/", count: 20) + "list.txt"
        let error = ListError(message: "can't read the list \(path): No such file or directory", path: path)
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.enter(":import " + path)
        _ = driver.send(.list(path: path, .failure(error)))
        #expect(driver.text.contains("can't read the list /home/ann/"), "\(driver.text)")
        #expect(driver.text.contains(".txt: No such file or directory"), "\(driver.text)")
    }

    @Test(arguments: ["", "a"]) func aMessageOfOneWordIsNotCutWithinAnEscape(start: String) {
        var driver = Driver(.full, 80, 24, prompt: true)
        _ = driver.enter("@gone")
        let message = start + String(repeating: "\u{1B}", count: 60)
        _ = driver.send(.list(path: "gone", .failure(ListError(message: message))))
        #expect(driver.text.contains("^[…") && !driver.text.contains("^…"), "\(driver.text)")
    }
}
