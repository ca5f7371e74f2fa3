import SluiceCore
import SluiceUI
import Testing

@testable import SluiceTerminal

struct InputDecoderTests {
    private static let start = Timestamp(nanoseconds: 1_000_000_000)

    /// Decodes bytes that come at once, then lets time pass until nothing is half read.
    private func decode(_ text: String, keys: [[UInt8]: Key] = [:]) -> [TerminalInput] {
        decode(Array(text.utf8), keys: keys)
    }

    private func decode(_ bytes: [UInt8], keys: [[UInt8]: Key] = [:]) -> [TerminalInput] {
        var decoder = InputDecoder(keys: keys)
        var inputs = decoder.decode(bytes, now: Self.start)
        while let deadline = decoder.deadline { inputs += decoder.timeOut(now: deadline) }
        return inputs
    }

    @Test(arguments: [
        ("a", Key.character("a")), ("é", .character("é")), ("猫", .character("猫")), ("🦊", .character("🦊")),
        ("e\u{301}", .character("e\u{301}")), (" ", .character(" ")),
        ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
        ("\u{1}", .control("a")), ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{0}", .control(" ")),
        ("\u{1C}", .control("\\")), ("\u{1F}", .control("_")),
        ("\u{1B}", .escape), ("\u{1B}x", .alt("x")), ("\u{1B}é", .alt("é")), ("\u{1B}[", .alt("[")),
        ("\u{1B}O", .alt("O")), ("\u{1B}]", .alt("]")), ("\u{1B}P", .alt("P")), ("\u{1B}\u{7F}", .control("w")),
        ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OC", .right), ("\u{1B}[D", .left),
        ("\u{1B}[1;5C", .controlRight), ("\u{1B}[1;3D", .controlLeft), ("\u{1B}Oc", .controlRight),
        ("\u{1B}O5D", .controlLeft), ("\u{1B}[1;2C", .right), ("\u{1B}[1;5A", .up), ("\u{1B}[c", .right),
        ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end),
        ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6;5~", .pageDown),
        ("\u{1B}[Z", .backTab), ("\u{1B}OP", .function(1)), ("\u{1B}OR", .function(3)), ("\u{1B}[11~", .function(1)),
        ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)), ("\u{1B}[24~", .function(12)),
        ("\u{1B}[[A", .function(1)), ("\u{1B}[[E", .function(5)), ("\u{1B}[1;5S", .function(4)),
        ("\u{1B}OM", .enter), ("\u{1B}Op", .character("0")), ("\u{1B}Oj", .character("*")),
    ]) func oneKeyIsOneInput(bytes: String, key: Key) {
        #expect(decode(bytes) == [.key(key)])
    }

    @Test func keysThatComeTogetherStaySeparate() {
        #expect(
            decode("aé\u{1B}[A\u{1B}xb\r") == [
                .key(.character("a")), .key(.character("é")), .key(.up), .key(.alt("x")), .key(.character("b")),
                .key(.enter),
            ]
        )
        #expect(decode("\u{1B}\u{1B}[A") == [.key(.escape), .key(.up)])
        #expect(decode("\u{1B}\r") == [.key(.escape), .key(.enter)])
    }

    @Test func focusReportsAreNoKeys() {
        #expect(decode("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
    }

    @Test(arguments: [
        "\u{1B}[?1;2c", "\u{1B}[>0;276;0c", "\u{1B}[24;80R", "\u{1B}[6;18;9t", "\u{1B}[?2026;2$y", "\u{1B}[<0;10;20m",
        "\u{1B}[?0u", "\u{1B}[<32;10;20M", "\u{1B}[<0;0;1M", "\u{1B}]11;rgb:zz/0/0\u{7}", "\u{1B}]10;rgb:0/0/0\u{1B}\\",
        "\u{1B}P>|XTerm(379)\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^private\u{1B}\\", "\u{1B}Xstring\u{1B}\\",
        "\u{1B}[99~", "\u{1B}[201~", "\u{1B}[1;2;3;4A", "\u{1B}[999999999999999999999~", "\u{1B}Oz",
    ]) func answersAndUnknownSequencesAreNoKeys(bytes: String) {
        func withoutReports(_ text: String) -> [TerminalInput] {
            decode(text).filter { if case .report = $0 { false } else { true } }
        }
        #expect(withoutReports(bytes) == [])
        #expect(withoutReports(bytes + "q") == [.key(.character("q"))])
    }

    @Test(arguments: [
        ("\u{1B}[<0;10;20M", TerminalInput.mouse(Mouse(.press, x: 9, y: 19))),
        ("\u{1B}[<64;1;1M", .mouse(Mouse(.wheelUp, x: 0, y: 0))),
        ("\u{1B}[<69;300;5M", .mouse(Mouse(.wheelDown, x: 299, y: 4))),
        ("\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}", .ground(isLight: false)),
        ("\u{1B}]11;rgb:fb/fb/f8\u{1B}\\", .ground(isLight: true)),
        ("\u{1B}]11;rgba:ffff/ffff/ffff/0000\u{7}", .ground(isLight: true)),
    ]) func reportsOfTheTerminalAreWhatTheySay(bytes: String, input: TerminalInput) {
        #expect(decode(bytes + "q") == [input, .key(.character("q"))])
        var decoder = InputDecoder()
        #expect(bytes.utf8.flatMap { decoder.decode([$0], now: Self.start) } == [input], "byte by byte")
    }

    @Test func sequencesMayComeByteByByte() {
        var decoder = InputDecoder()
        var inputs: [TerminalInput] = []
        let bytes = Array("\u{1B}[1;5C猫\u{1B}]0;x\u{1B}\\\u{1B}[200~ab\u{1B}[201~z".utf8)
        for byte in bytes { inputs += decoder.decode([byte], now: Self.start) }
        #expect(inputs == [.key(.controlRight), .key(.character("猫")), .paste("ab"), .key(.character("z"))])
    }

    @Test func aLoneEscapeWaitsForItsDelayOnly() throws {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B], now: Self.start) == [])
        let deadline = try #require(decoder.deadline)
        #expect(deadline == Self.start + InputDecoder.escapeDelay)
        #expect(decoder.timeOut(now: Timestamp(nanoseconds: deadline.nanoseconds - 1)) == [])
        #expect(decoder.timeOut(now: deadline) == [.key(.escape)])
        #expect(decoder.deadline == nil)
    }

    @Test func anUnfinishedAnswerIsDroppedAfterItsDelay() throws {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}]11;rgb:1e".utf8, now: Self.start) == [])
        #expect(decoder.timeOut(now: try #require(decoder.deadline)) == [])
        #expect(decoder.decode("q".utf8, now: Self.start) == [.key(.character("q"))])
    }

    @Test(arguments: [
        "\u{1B}Pj", "\u{1B}]j", "\u{1B}_j", "\u{1B}^j", "\u{1B}Xj", "\u{1B}]11;rgb:0000/00", "\u{1B}Pj\u{1B}",
        "\u{1B}[1;",
    ]) func aSequenceThatLostItsEndSwallowsNoInterrupt(bytes: String) {
        var decoder = InputDecoder()
        #expect(decoder.decode(bytes.utf8, now: Self.start) == [])
        let inputs = decoder.decode("\u{3}q".utf8, now: Self.start + .milliseconds(250))
        #expect(inputs == [.key(.control("c")), .key(.character("q"))])
        #expect(decoder.deadline == nil)
        #expect(decode(bytes + "\u{3}") == [.key(.control("c"))], "in one read")
    }

    @Test(arguments: ["\u{1B}Pj", "\u{1B}]j", "\u{1B}_j", "\u{1B}]11;rgb:0000/00"])
    func aSequenceThatLostItsEndIsNotKeptOpenByKeys(bytes: String) {
        var decoder = InputDecoder()
        var inputs = decoder.decode(bytes.utf8, now: Self.start)
        for step in 1...8 {
            let now = Self.start + .milliseconds(250 * step)
            inputs += decoder.timeOut(now: now)
            inputs += decoder.decode("q".utf8, now: now)
        }
        let key = TerminalInput.key(.character("q"))
        #expect(inputs == [key, key, key, key])
    }

    /// A frame that is written over a slow link keeps the loop from reading.
    @Test func anAnswerThatNobodyReadInTimeIsNoKey() {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}]11;rgb:1e1e/".utf8, now: Self.start) == [])
        let late = Self.start + .milliseconds(1_300)
        #expect(decoder.decode("1e1e/".utf8, now: late) == [])
        #expect(decoder.timeOut(now: late) == [])
        let inputs = decoder.decode("1e1e\u{1B}\\q".utf8, now: late)
        #expect(inputs == [.ground(isLight: false), .key(.character("q"))])
    }

    @Test func aLongAnswerOverASlowLinkIsSwallowedWhole() {
        var decoder = InputDecoder()
        var inputs = decoder.decode("\u{1B}]52;c;".utf8, now: Self.start)
        for step in 1...20 {
            let now = Self.start + .milliseconds(500 * step)
            inputs += decoder.timeOut(now: now)
            inputs += decoder.decode(String(repeating: "QUJD", count: 25).utf8, now: now)
        }
        inputs += decoder.decode("\u{7}q".utf8, now: Self.start + .milliseconds(10_400))
        #expect(inputs == [.key(.character("q"))])
    }

    @Test func aPasteIsOneText() {
        #expect(
            decode("\u{1B}[200~one\rtwo\r\nthree\u{3}\u{1B}[A\u{1B}[201~q") == [
                .paste("one\ntwo\nthree\u{3}\u{1B}[A"), .key(.character("q")),
            ]
        )
        #expect(decode("\u{1B}[200~\u{1B}[201\u{1B}[201~") == [.paste("\u{1B}[201")])
        #expect(decode("\u{1B}[200~\u{1B}[201~") == [.paste("")])
    }

    @Test func aPasteEndsByItsMarkOnly() {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}[200~half".utf8, now: Self.start) == [])
        #expect(decoder.deadline == nil)
        #expect(decoder.decode(" and half\u{1B}[201~".utf8, now: Self.start) == [.paste("half and half")])
    }

    /// A link may drop the mark; then a key that comes alone, long after, is no part of the paste.
    @Test func aPasteWhoseEndWasLostEndsWithAnInterrupt() {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}[200~half\u{3}".utf8, now: Self.start) == [])
        #expect(decoder.decode("\u{3}q".utf8, now: Self.start + .milliseconds(900)) == [])
        #expect(decoder.decode("q".utf8, now: Self.start + .seconds(9)) == [])
        let expected: [TerminalInput] = [
            .paste("half\u{3}\u{3}qq"), .key(.control("c")), .key(.character("q")),
        ]
        #expect(decoder.decode("\u{3}q".utf8, now: Self.start + .seconds(10)) == expected)
    }

    @Test func aPasteKeepsItsLimitAndSwallowsTheRest() {
        var decoder = InputDecoder(pasteLimit: 10)
        let bytes = "\u{1B}[200~0123456 89abc\u{1B}[A def\u{1B}[201~q".utf8
        let expected: [TerminalInput] = [.paste("0123456"), .cutPaste, .key(.character("q"))]
        #expect(decoder.decode(bytes, now: Self.start) == expected, "half a word would be another one")
        let word = "\u{1B}[200~0123456789abc\u{1B}[201~".utf8
        #expect(decoder.decode(word, now: Self.start) == [.paste(""), .cutPaste])
        let whole = "\u{1B}[200~012345 789\u{1B}[201~".utf8
        #expect(decoder.decode(whole, now: Self.start) == [.paste("012345 789")])
    }

    @Test func anEndlessStringSequenceIsNotBelieved() {
        var decoder = InputDecoder()
        let bytes = "\u{1B}]" + String(repeating: "x", count: InputDecoder.stringLimit + 1) + "q"
        #expect(decoder.decode(bytes.utf8, now: Self.start) == [.key(.character("q"))])
        let long = "\u{1B}[" + String(repeating: "1", count: 10_000) + "Aq"
        #expect(decode(long) == [.key(.character("q"))])
    }

    @Test func bytesThatAreNoTextAreNoKeys() {
        #expect(decode([0xFF, 0xC3, UInt8(ascii: "a")]) == [.key(.character("a"))])
        #expect(decode([0xE7, 0x8C]) == [])
        #expect(decode("\u{85}\u{9B}b") == [.key(.character("b"))])
    }

    @Test func aTerminalsOwnSequencesComeFirst() {
        #expect(
            decode("\u{1B}[224z\u{1B}[A", keys: [Array("\u{1B}[224z".utf8): .function(1)]) == [
                .key(.function(1)), .key(.up),
            ]
        )
    }

    @Test func noSequenceOfTheseBytesTrapsOrGetsStuck() {
        let alphabet: [UInt8] = [0x1B, 0x5B, 0x4F, 0x5D, 0x32, 0x3B, 0x7E, 0x41, 0x07, 0x5C, 0xC3, 0xA9, 0x18]
        var count = 0
        func extend(_ bytes: [UInt8]) {
            var decoder = InputDecoder()
            _ = decoder.decode(bytes, now: Self.start)
            if let deadline = decoder.deadline { _ = decoder.timeOut(now: deadline) }
            if decoder.deadline != nil { Issue.record("stuck after \(bytes)") }
            count += 1
            if bytes.count < 4 { for byte in alphabet { extend(bytes + [byte]) } }
        }
        extend([])
        #expect(count == 30_941, "the enumeration must not shrink")
    }
}
