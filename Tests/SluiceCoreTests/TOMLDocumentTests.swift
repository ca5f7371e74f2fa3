import SluiceCore
import Testing

struct TOMLDocumentTests {
    @Test(arguments: [
        ("a = 1", "1"), ("a = +1_000", "1000"), ("a = -7", "-7"), ("a = 0", "0"), ("a = 0xDEAD_beef", "3735928559"),
        ("a = 0o17", "15"), ("a = 0b101", "5"), ("a = -9223372036854775808", "-9223372036854775808"),
        ("a = 1.5", "1.5"), ("a = -0.25e1", "-2.5"), ("a = 6e+2", "600.0"), ("a = 1_0.0_1", "10.01"),
        ("a = inf", "inf"),
        ("a = true", "true"), ("a = false", "false"), ("a = 1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z"),
        ("a = 1979-05-27 07:32:00", "1979-05-27 07:32:00"), ("a = 07:32:00", "07:32:00"),
        ("a = \"x\\ty\\u00E9\\U0001F600\\\"\"", "\"x\ty\u{E9}\u{1F600}\"\""), ("a = 'C:\\no'", "\"C:\\no\""),
        ("a = \"\"", "\"\""), ("a = ''''''", "\"\""), ("a = \"\"\"\nx\n  y\"\"\"", "\"x\n  y\""),
        ("a = \"\"\"x\\\n   \n  y\"\"\"", "\"xy\""), ("a = \"\"\"\"q\"\"\"\"\"", "\"\"q\"\"\""),
        ("a = '''it's'''", "\"it's\""), ("a = []", "[]"),
        ("a = [ 1, 'b', [2.0], # c\n true,\n]", "[1 \"b\" [2.0] true]"),
        ("a = {}", "{}"), ("a = { x = 1, y.z = 'q' }", "{x=1 y={z=\"q\"}}"), ("  a\t=  1 # why\r\n", "1"),
        ("\u{FEFF}a = 1", "1"),
    ])
    func readsEveryKindOfValue(source: String, expected: String) throws {
        let node = try #require(try TOMLDocument(source).root["a"])

        #expect(text(node) == expected)
    }

    @Test(arguments: [
        ("a.b.c = 1\na.b.d = 2", "{a={b={c=1 d=2}}}"), ("\"a b\".'c.d' = 1", "{a b={c.d=1}}"), ("1 = 2", "{1=2}"),
        ("[t]\na = 1\n[t.u]\nb = 2", "{t={a=1 u={b=2}}}"), ("[t.u]\nb = 2\n[t]\na = 1", "{t={u={b=2} a=1}}"),
        ("[[h]]\na = 1\n[h.x]\nb = 2\n[[h]]\na = 3", "{h=[{a=1 x={b=2}} {a=3}]}"), ("", "{}"), ("# only\n\n", "{}"),
        ("[ t . 'u v' ]\na = 1", "{t={u v={a=1}}}"),
        ("[t]\nx.a = 1\nx.b = 2\n[t.x.y]\nc = 3", "{t={x={a=1 b=2 y={c=3}}}}"),
        ("x.a = { p.q = { r = 1 }, p.s = 2 }\nx.b = 3", "{x={a={p={q={r=1} s=2}} b=3}}"),
    ])
    func readsTablesOfEveryKind(source: String, expected: String) throws {
        #expect(text(TOMLNode(.table(try TOMLDocument(source).root), line: 1)) == expected)
    }

    @Test(arguments: [
        ("a = 1\na = 2", 2), ("[t]\n[t]", 2), ("a = 1\n[a]", 2), ("a.b = 1\n[a]\n", 2), ("a = {b = 1}\na.c = 2", 2),
        ("[t]\nx = 1\n[[t]]", 3), ("t = []\n[[t]]", 2), ("[t.u]\nx = 1\n[t]\nu.y = 1", 4), ("a = {b = 1, b = 2}", 1),
        ("\na = ", 2), ("a", 1), ("= 1", 1), ("a = 1 b = 2", 1), ("[t", 1), ("[t]x", 1), ("[[t]", 1), ("[]", 1),
        ("a. = 1", 1),
        ("a = 01", 1), ("a = 1__0", 1), ("a = _1", 1), ("a = 1.", 1), ("a = .5", 1), ("a = 0xG", 1), ("a = +0x1", 1),
        ("a = 9223372036854775808", 1), ("a = True", 1), ("a = yes", 1), ("a = abc", 1), ("a = 'x", 1),
        ("a = \"x\ny\"", 1),
        ("a = \"\\q\"", 1), ("a = \"\\uD800\"", 1), ("a = \"\\u12\"", 1), ("b = 1\na = \"\"\"x\n\n", 2),
        ("a = [1 2]", 1),
        ("a = [1,\n2", 2), ("a = [,]", 1), ("a = {x = 1,}", 1), ("a = {x = 1\n}", 1), ("a = \u{1}", 1), ("# \u{7}", 1),
        ("a = 1\rb = 2", 1), ("\"\"\"a\"\"\" = 1", 1), ("a = \"\u{0}\"", 1),
        ("a = " + String(repeating: "[", count: 70), 1),
    ])
    func refusesWhatIsNoTOMLAndNamesTheLine(source: String, line: Int) throws {
        let error = #expect(throws: TOMLError.self) { try TOMLDocument(source) }

        #expect(error?.line == line, "\(error?.message ?? "")")
        #expect(error?.message.isEmpty == false)
    }

    /// What is read so deep would be walked through as deep, and the stack ends before the file does.
    @Test func whatIsTooDeepIsRefusedHoweverItIsWritten() throws {
        let parts = String(repeating: "a.", count: 40)
        let (opening, closing) = (String(repeating: "[", count: 40), String(repeating: "]", count: 40))
        for source in [
            "\(parts)\(parts)a = 1", "[\(parts)\(parts)a]", "[[\(parts)\(parts)a]]", "[\(parts)a]\n\(parts)a = 1",
            "a = { \(parts)b = { \(parts)c = 1 } }", "\(parts)a = \(opening)\(closing)",
            "[\(parts)a]\na = \(opening)\(closing)",
        ] {
            let error = #expect(throws: TOMLError.self) { try TOMLDocument(source) }
            #expect(error?.message.contains("deep in each other") == true, "\(source.prefix(100))")
        }
        #expect(throws: Never.self) {
            try TOMLDocument("\(parts)a = 1\nb = \(opening)\(closing)\n[c.\(parts)a]\na = 1\n[d]\n\(parts)a = []")
        }
    }

    @Test func refusesBytesThatAreNoUTF8AndNamesTheLine() {
        let error = #expect(throws: TOMLError.self) { try TOMLDocument(Array("a = 1\nb = '".utf8) + [0xFF, 0x27]) }

        #expect(error?.line == 2)
    }

    @Test func everyKeyAndValueHasItsLine() throws {
        let document = try TOMLDocument(
            "a = 1\n\n[t]\nb = [\n  1,\n  2,\n]\nc = '''\nx\n'''\nd = 4\n[[h]]\n[[h]]\ne = 5\n"
        )

        let root = document.root
        let table = try #require(root["t"]?.table)
        #expect(root.entries.map(\.line) == [1, 3, 12])
        #expect(table.entries.map(\.line) == [4, 8, 11])
        #expect(table["b"]?.array?.map(\.line) == [5, 6])
        #expect(root["h"]?.array?.map(\.line) == [12, 13])
    }

    @Test func anyPrefixOfADocumentIsReadOrRefused() throws {
        let source = Array(
            "a.b = [1, {c = \"x\\n\"}] # z\n[[t.u]]\nd = '''q'''\ne = 1.5e3\nf = 1979-05-27 07:32:00Z\n".utf8
        )
        var refused = 0
        for count in 0...source.count {
            do throws(TOMLError) { _ = try TOMLDocument(Array(source[..<count])) } catch { refused += 1 }
        }

        #expect(refused > 30)
    }

    /// A value in few characters.
    private func text(_ node: TOMLNode) -> String {
        switch node.value {
        case .string(let text): "\"\(text)\""
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .date(let text): text
        case .array(let nodes): "[\(nodes.map { text($0) }.joined(separator: " "))]"
        case .table(let table):
            "{\(table.entries.map { "\($0.key)=\(text($0.node))" }.joined(separator: " "))}"
        }
    }
}
