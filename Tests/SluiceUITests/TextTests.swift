import SluiceCore
import Testing

@testable import SluiceUI

struct TextWidthTests {
    @Test(arguments: [
        ("abc", 3), ("kraków", 6), ("krako\u{301}w", 6), ("猫.png", 6), ("ｆｕｌｌ", 8), ("👍", 2), ("e\u{301}\u{301}", 1),
        ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("🇫🇷", 2), ("", 0), ("×▌━⠹", 4),
    ])
    func columnsFollowTheTerminal(text: String, columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }

    @Test func cutsNeverSplitAWideCharacter() {
        #expect(TextWidth.prefix(of: "猫猫", columns: 3) == "猫")
        #expect(TextWidth.suffix(of: "猫猫", columns: 3) == "猫")
    }

    @Test(arguments: [
        ("orion-nebula-hubble.tif", 12, "orio…ble.tif"), ("short.jpg", 12, "short.jpg"), ("abcdefghij", 6, "abc…ij"),
        ("猫猫猫猫猫.png", 10, "猫…猫.png"), ("abc", 0, ""), ("abcdef.jpeg", 4, "abc…"),
    ])
    func elisionKeepsTheExtension(text: String, columns: Int, expected: String) {
        let elided = Elision.middle(text, columns)
        #expect(elided == expected)
        #expect(TextWidth.columns(of: elided) <= columns)
    }

    @Test(arguments: [
        ("\u{1B}[2J\u{202E}gpj.exe", 20, #"^[[2J\u{202e}gpj.exe"#), ("\u{1B}[2J\u{202E}gpj.exe", 18, "^[[2J…gpj.exe"),
        ("ééé👩\u{200D}👧🇩🇪.png", 14, "ééé👩…👧🇩🇪.png"), ("a-long-name-of-it\u{200D}x.png", 24, #"a-long-nam…\u{200d}x.png"#),
        ("abc\u{1B}defghijk.png", 13, "abc…ghijk.png"), ("a^bcdefghij.png", 11, "a^b…hij.png"),
        (#"a\bcdefghij.png"#, 11, #"a\b…hij.png"#),
    ])
    func elisionTakesAnEscapeAsOne(text: String, columns: Int, expected: String) {
        let elided = Elision.middle(VisibleText.visible(text), columns)
        #expect(elided == expected)
        #expect(TextWidth.columns(of: elided) <= columns)
    }

    @Test(arguments: [
        ("all 4 slots taken · behind 3 others", 35, "all 4 slots taken · behind 3 others"),
        ("all 4 slots taken · behind 3 others", 34, "all 4 slots taken · behind 3…"),
        ("all 4 slots taken · behind 3 others", 29, "all 4 slots taken · behind 3…"),
        ("all 4 slots taken · behind 3 others", 21, "all 4 slots taken…"),
        ("its time came, so it went", 16, "its time came…"),
        ("as you asked · /home/u/Pictures/andes-at-night.jpg", 38, "as you asked · /home/u/Pictures/andes…"),
        ("all-in-one-word", 8, "all-in-…"), ("猫 猫猫 猫", 8, "猫 猫猫…"), ("a b", 0, ""), ("a b", 1, "…"),
    ])
    func sentencesAreCutBehindAWord(text: String, columns: Int, expected: String) {
        let cut = Elision.words(text, columns)
        #expect(cut == expected)
        #expect(TextWidth.columns(of: cut) <= columns)
    }

    @Test(arguments: [
        ("evil\u{1B}]0;owned", 6, "evil…"), ("evil\u{1B}]0;owned", 7, "evil^[…"), ("a\u{202E}b", 5, "a…"),
        (#"\u{0123456789}"#, 9, #"\u{01234…"#),
    ])
    func theEndIsCutBesideAnEscape(text: String, columns: Int, expected: String) {
        #expect(Elision.end(VisibleText.visible(text), columns) == expected)
    }
}

struct TextWrapTests {
    @Test(arguments: [
        ("abc\u{1B}d", 4, ["abc", "^[d"]), ("ab\u{202E}cdefghijk", 9, ["ab", #"\u{202e}c"#, "defghijk"]),
        ("\u{202E}", 4, [#"\u{2"#, "02e}"]), ("猫a", 1, ["…", "a"]),
        ("\u{1100}\u{1100}\u{1100}\u{1100} end", 5, ["\u{1100}\u{1100}", "\u{1100}\u{1100}", "end"]),
        ("ab\u{1100}\u{1100}\u{1100}cd", 5, ["ab\u{1100}", "\u{1100}\u{1100}c", "d"]),
    ])
    func aLongWordIsCutBesideItsEscapesWhereThatCanBe(text: String, columns: Int, lines: [String]) {
        #expect(TextWrap.lines(VisibleText.visible(text), columns: columns) == lines)
    }

    @Test(arguments: 2...20) func nothingIsLeftOut(columns: Int) {
        let jamo = String(repeating: "\u{1100}", count: 30)
        let text = VisibleText.visible("can't connect:\u{1B}[2J\u{202E}\(jamo)猫👍🏽e\u{301}x \(jamo) the end")
        let lines = TextWrap.lines(text, columns: columns)
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns }, "\(lines)")
    }
}

struct VisibleTextTests {
    @Test(arguments: [
        ("plain.jpg", "plain.jpg"), ("\u{1B}[2J", "^[[2J"), ("a\u{7}b", "a^Gb"), ("\u{7F}", "^?"),
        ("\u{9B}31m", "\\u{9b}31m"), ("a\nb\tc\r", "a^Jb^Ic^M"), ("x\u{202E}gpj.exe", "x\\u{202e}gpj.exe"),
        ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("\u{200B}\u{200F}\u{FEFF}", "\\u{200b}\\u{200f}\\u{feff}"),
        ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"), ("\u{E0041}", "\\u{e0041}"), ("kraków 猫", "kraków 猫"),
        ("♥\u{FE0F}", "♥"), ("o\u{301}\u{301}\u{301}\u{301}\u{301}", "o\u{301}\u{301}\u{301}"),
    ])
    func dangerousCharactersShow(text: String, expected: String) {
        #expect(VisibleText.visible(text) == expected)
    }

    @Test func everyScalarBecomesHarmless() {
        for value in Array(UInt32(0)...0x1FFFF) + Array(0xE0000...0xE0FFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = VisibleText.visible(String(Character(scalar)))
            let isSafe = text.unicodeScalars.allSatisfy { scalar in
                let value = scalar.value
                return value >= 0x20 && !(0x7F...0x9F).contains(value) && !(0x200B...0x200F).contains(value)
                    && !(0x2028...0x202E).contains(value) && !(0x2066...0x2069).contains(value) && value != 0xFEFF
                    && !(0xE0000...0xE0FFF).contains(value)
            }
            guard isSafe else {
                Issue.record("U+\(String(value, radix: 16)) shows as it is")
                return
            }
        }
    }

    @Test func lengthIsCapped() {
        let long = String(repeating: "\u{1B}", count: 100_000)
        #expect(VisibleText.visible(long, limit: 50).count <= 50)
        #expect(VisibleText.visible(String(repeating: "a", count: 5_000), limit: 50).hasSuffix("…"))
    }

    @Test(arguments: [
        ("猫猫猫猫", "猫猫猫猫"), ("猫猫猫猫猫", "猫猫猫…"), ("猫猫\u{1B}", "猫猫^["), ("猫猫猫\u{1B}", "猫猫猫…"),
        ("\u{1B}\u{1B}x", "^[…"), ("\u{202E}", "…"), ("", ""),
    ])
    func noPieceIsCutNorGoesBeyondTheLimit(text: String, expected: String) {
        #expect(VisibleText.visible(text, limit: 4) == expected)
    }
}

struct CanvasTests {
    @Test func wideCharactersFillTwoCells() {
        var canvas = Canvas(width: 6, height: 1)
        canvas.write("a猫b", x: 0, y: 0)
        #expect(canvas.row(0) == "a猫b  ")
        #expect(canvas.cells[2].character == nil)
    }

    @Test func overwritingHalfOfAWideCharacterBlanksTheOther() {
        for x in 1...2 {
            var canvas = Canvas(width: 6, height: 1)
            canvas.write("a猫b", x: 0, y: 0)
            canvas.write("x", x: x, y: 0)
            #expect(canvas.row(0) == (x == 1 ? "ax b  " : "a xb  "))
            #expect(canvas.cells.allSatisfy { $0.character != nil })
        }
    }

    @Test func wideCharactersAreNotCutAtTheEdge() {
        var canvas = Canvas(width: 3, height: 1)
        canvas.write("ab猫", x: 0, y: 0)
        #expect(canvas.row(0) == "ab ")
        canvas.write("猫c", x: -1, y: 0)
        #expect(canvas.row(0) == "acb" || canvas.row(0) == "ac ")
    }

    @Test func combiningCharactersJoinTheirCell() {
        var canvas = Canvas(width: 3, height: 1)
        canvas.write("o\u{301}x", x: 0, y: 0)
        #expect(canvas.cells[0].character == "o\u{301}")
        #expect(canvas.cells[1].character == "x")
    }

    @Test func controlCharactersNeverReachACell() {
        var canvas = Canvas(width: 4, height: 1)
        canvas.write("\u{1B}\n\u{9B}", x: 0, y: 0)
        #expect(canvas.row(0) == "\u{FFFD}\u{FFFD}\u{FFFD} ")
    }

    @Test(arguments: [(-5, -5), (0, 7), (100, 0), (2, -1)])
    func writingOutsideDoesNothing(x: Int, y: Int) {
        var canvas = Canvas(width: 4, height: 2)
        canvas.write("猫x", x: x, y: y)
        #expect(canvas == Canvas(width: 4, height: 2))
    }
}

struct FormatTests {
    @Test(arguments: [
        (0, "0 B"), (612, "612 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (62_464, "61 KiB"), (6_186_598, "5.9 MiB"),
        (104_857_600, "100 MiB"), (258_998_272, "247 MiB"), (1_503_238_553, "1.4 GiB"), (1_048_575, "1.0 MiB"),
        (-5, "0 B"), (Int.max, "8.0 EiB"),
    ])
    func sizesHaveBinaryUnits(count: Int, text: String) {
        #expect(Format.bytes(count).text == text)
    }

    @Test func figuresOfAPairShareTheUnitOfTheTotal() {
        #expect(Format.progress(734_003, of: 4_299_162).text == "0.7/4.1 MiB")
        #expect(Format.progress(29_779_559, of: nil).text == "28.4/? MiB")
        #expect(Format.progress(0, of: 2_040_109_466).text == "0.0/1.9 GiB")
        #expect(Format.progress(12_582_912, of: 2_040_109_466).text == "12M/1.9 GiB")
        #expect(Format.progress(838_861, of: 2_040_109_466).text == "819K/1.9 GiB")
        #expect(Format.progress(12, of: 2_097_152).text == "12B/2.0 MiB")
        #expect(Format.progress(53_687_092, of: 2_040_109_466).text == "0.1/1.9 GiB")
        #expect(Format.limit(104_857_600).text == "100 MiB")
        #expect(Format.number(88_185_242, likeLimit: 104_857_600) == "84.1")
        #expect(Format.level(105_801_318).text == "100.9 MiB")
    }

    @Test(arguments: [
        (0, "0 KiB/s"), (50_000, "49 KiB/s"), (838_861, "819 KiB/s"), (287 * 1_024, "287 KiB/s"),
        (1_047_552, "1023 KiB/s"), (1_048_064, "1.0 MiB/s"), (11_534_336, "11.0 MiB/s"), (-1, "0 KiB/s"),
        (1, "<1 KiB/s"), (511, "<1 KiB/s"), (512, "1 KiB/s"),
    ])
    func ratesAreInKibibytesBelowAMebibyte(rate: Int, text: String) {
        #expect(Format.rate(rate).text == text)
    }

    @Test(arguments: [
        (102_400, "100K"), (838_861, "819K"), (1_023_487, "999K"), (1_030_000, "1.0M"), (1_258_291, "1.2M"),
        (12_163_482, "12M"), (-1, "0K"), (300, "<1K"),
    ]) func theAxisOfARateHasItsUnit(rate: Int, text: String) { #expect(Format.axis(rate) == text) }

    @Test(arguments: [(1_331, 5, "1331 of 5 B/s"), (20_480, 51_200, "20 of 50 KiB/s"), (0, 1_023, "0 of 1023 B/s")])
    func aRateIsInTheUnitOfItsLimit(rate: Int, limit: Int, text: String) {
        let (number, limit) = Format.rate(rate, of: limit)
        #expect("\(number) of \(limit.text)" == text)
    }

    @Test func timesAreMinutesAndSeconds() {
        #expect(Format.time(.seconds(41)) == "0:41")
        #expect(Format.time(.seconds(3_723)) == "1:02:03")
        #expect(Format.time(.seconds(-4)) == "0:00")
        #expect(Format.countdown(.milliseconds(1_200)) == "2 s")
        #expect(Format.countdown(.seconds(281)) == "4:41")
        #expect(Format.seconds(.milliseconds(740)) == "0.7 s")
        #expect(Format.count(1_234_567) == "1,234,567")
        #expect(Format.count(9_999) == "9999")
    }

    /// As of a wait that a log lets end at the last time that can be counted.
    @Test func theLongestTimesAreTold() {
        for longest in [Duration.nanoseconds(Int64.max), .nanoseconds(Int64.max - 1)] {
            #expect(Format.countdown(longest) == "–")
            #expect(Format.tenths(longest) == "–" && Format.seconds(longest) == "–")
            #expect(TaskDetail.text(longest) == "2562047 h")
        }
        #expect(Format.countdown(.nanoseconds(Int64.min)) == "0 s" && Format.tenths(.nanoseconds(Int64.min)) == "0 s")
        #expect(Format.countdown(.seconds(2)) == "2 s" && Format.countdown(.nanoseconds(2_000_000_001)) == "3 s")
    }

    @Test(arguments: [
        (0, "0 s"), (-1, "0 s"), (1, "0.1 s"), (149_999_999, "0.1 s"), (150_000_000, "0.2 s"),
        (1_000_000_000, "1 s"), (61_000_000_000, "1:01"),
    ]) func whatTookTimeTookMoreThanNothing(nanoseconds: Int, text: String) {
        #expect(Format.seconds(.nanoseconds(nanoseconds)) == text)
    }

    @Test func theClockNeedsNoSystemCall() {
        let start = SessionStart(time: Scene.start, nanosecondsSince1970: 1_700_000_000_000_000_000)
        let clock = WallClock(start: start, utcOffsetSeconds: 3_600)
        #expect(clock.time(at: Scene.start, seconds: true) == "23:13:20")
        #expect(clock.time(after: .seconds(2_800)) == "00:00")
        let epoch = SessionStart(time: Scene.start, nanosecondsSince1970: 0)
        let early = WallClock(start: epoch, utcOffsetSeconds: -3_600)
        #expect(early.time(at: Scene.start) == "23:00")
    }
}
