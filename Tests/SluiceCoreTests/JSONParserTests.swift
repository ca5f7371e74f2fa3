import SluiceCore
import SluiceTestSupport
import Testing

struct JSONParserTests {
    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("-0", .integer(0)),
        ("9007199254740993", .integer(9_007_199_254_740_993)),
        ("1e3", .number(1000.0)), ("-1.5E-2", .number(-0.015)), ("99999999999999999999", .number(1e20)),
        (#""a\u00e9\ud83d\ude00\n\/""#, .string("aé😀\n/")), (#""é😀""#, .string("é😀")), (#""\u0000""#, .string("\0")),
        ("[]", .array([])), ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])), ("{ }", .object([:])),
        (#"{"a":{"b":[]} , "":0}"#, .object(["a": .object(["b": .array([])]), "": .integer(0)])),
    ])
    func whatIsJSONIsRead(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nullx", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e400", "0x1", "NaN", "'a'", "\"", "\"a",
        "\"\\\"",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"",
        "\"\n\"", "[",
        "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{1:2}", "1 2", "{} []", "\u{FEFF}{}", "// a\n1",
    ])
    func whatIsNoJSONIsRefusedWithItsPlace(text: String) throws {
        let error = #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: text) }
        #expect(error?.description.contains("at byte ") == true)
    }

    @Test func textThatIsNoUTF8IsRefused() {
        for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
            #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: bytes[...]) }
        }
    }

    @Test(arguments: ["[", "{\"a\":"]) func nestingIsLimited(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        _ = try JSONValue(parsing: text(JSONValue.depthLimit))
        #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: text(JSONValue.depthLimit + 1)) }
        // A bomb costs no more than its first levels.
        #expect(throws: JSONValue.ParseError.self) {
            try JSONValue(parsing: String(repeating: opening, count: 3_000_000))
        }
    }

    @Test func damagedTextsAreReadOrRefusedButNeverTrap() {
        let samples = [
            #"{"jsonrpc":"2.0","id":1,"method":"submit","params":{"url":"http://a/é","headers":[["A","b"]],"tag":"\ud83d\ude00"}}"#,
            #"[1,-2.5e3,true,null,{"a":[[],{}],"b":"\\\"\u0041"}]"#,
        ]
        var random = SeededRandom(seed: 20_261_121)
        var accepted = 0
        for round in 0..<20_000 {
            var bytes = Array(samples[round % samples.count].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[place], at: place)
                default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            if (try? JSONValue(parsing: bytes[...])) != nil { accepted += 1 }
        }
        #expect(1_000..<19_000 ~= accepted, "of the damaged texts some are JSON still")
    }
}
