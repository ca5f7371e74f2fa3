import SluiceCore
import SluiceTestSupport
import Testing

struct ControlMessageTests {
    private static let context = ControlContext(saves: true)

    @Test(arguments: [
        ("{", -32700), ("", -32700), ("[1,", -32700), (#"{"jsonrpc":"2.0","id":1,"method":"state","id":2}"#, -32700),
        ("[]", -32600), ("5", -32600), ("null", -32600), (#""state""#, -32600), ("{}", -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"state"}"#, -32600), (#"{"id":1,"method":"state"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":[],"method":"state"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":true,"method":"state"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"state","params":"x"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"State"}"#, -32601), (#"{"jsonrpc":"2.0","id":1,"method":""}"#, -32601),
        (#"{"jsonrpc":"2.0","id":1,"method":"state","params":[]}"#, -32602),
    ])
    func whatIsNoCallIsRefusedWithItsCode(line: String, code: Int) throws {
        guard case .single(let call) = message(line), case .failure(let error) = call.action else {
            Issue.record("\(line) was taken")
            return
        }
        #expect(error.code == code, "\(error.message)")
        #expect(!error.message.isEmpty)
    }

    @Test func aBatchHasALimit() throws {
        func batch(_ count: Int) -> String { "[" + [String](repeating: "1", count: count).joined(separator: ",") + "]" }
        guard case .batch(let calls) = message(batch(10_000)) else {
            Issue.record("it was not taken")
            return
        }
        #expect(calls.count == 10_000)
        guard case .single(let call) = message(batch(10_001)), case .failure(let error) = call.action else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == -32600 && error.message.contains("at most 10000 calls"), "\(error.message)")
    }

    @Test func parametersAreSentAsTheyAre() throws {
        let tag = "a\u{2028}b\u{85}c\u{C}"
        let line = ControlMethod.line(id: 1, method: "submit", parameters: "{\"tag\":\r\n\"\(tag)\"}")
        #expect(line.count { $0 == 10 } == 1 && line.last == 10)
        #expect(String(decoding: line, as: UTF8.self).contains("\"\(tag)\""))
    }

    /// Method, parameters, the field that is named, and what is said to be allowed.
    @Test(arguments: [
        ("submit", "{}", "url", "missing"), ("submit", #"{"url":5}"#, "url", "a string"),
        ("submit", #"{"urls":"a"}"#, "urls", "array of strings"),
        ("submit", #"{"urls":["a",1]}"#, "urls", "array of strings"),
        ("submit", #"{"url":"a","urls":[]}"#, "urls", "instead of url"),
        ("submit", #"{"url":"a","policy":"never"}"#, "policy", "protocol, cacheElseLoad"),
        ("submit", #"{"url":"a","priority":1}"#, "priority", "low, normal, high"),
        ("submit", #"{"url":"a","headers":"X"}"#, "headers", "[[name, value]…]"),
        ("submit", #"{"url":"a","headers":[["X"]]}"#, "headers", "[[name, value]…]"),
        ("submit", #"{"url":"a","headers":{"X":1}}"#, "headers", "a string"),
        ("submit", #"{"url":"a","headers":{"X Y":"1"}}"#, "headers", "letters"),
        ("submit", #"{"url":"a","headers":{"X":"1\r\nY: 2"}}"#, "headers", "control characters"),
        ("submit", #"{"url":"a","headers":{"content-length":"5"}}"#, "headers", "leave Content-Length"),
        ("submit", #"{"url":"a","headers":[["Transfer-Encoding","chunked"]]}"#, "headers", "leave Content-Length"),
        ("submit", #"{"url":"a","headers":{"Expect":"100-continue"}}"#, "headers", "leave Expect out"),
        ("submit", #"{"url":"a","retryFailed":1}"#, "retryFailed", "true or false"),
        ("submit", #"{"url":"a","tag":7}"#, "tag", "a string"),
        ("submit", #"{"url":"a","destination":"../a"}"#, "destination", ".."),
        ("submit", #"{"url":"a","destination":"/a/../b"}"#, "destination", ".."),
        ("submit", #"{"url":"a","destination":"a/"}"#, "destination", "name of a file"),
        ("submit", #"{"url":"a","destination":""}"#, "destination", "name of a file"),
        ("submit", #"{"url":"a","destination":"a\u0000b"}"#, "destination", "control characters"),
        ("submit", #"{"urls":["a"],"destination":"b"}"#, "destination", "one url"),
        ("submit", #"{"url":"a","colour":"red"}"#, "colour", "submit takes"),
        ("submit", #"{"url":"a","method":"CONNECT"}"#, "method", "GET, HEAD, POST"),
        ("submit", #"{"url":"a","method":"HEAD","body":"x"}"#, "body", "HEAD"),
        ("submit", #"{"url":"a","body":{}}"#, "body", "a string"),
        ("submit", #"{"url":"a","sha256":"abc"}"#, "sha256", "64 hexadecimal"),
        ("submit", #"{"urls":["a"],"sha256":"abc"}"#, "sha256", "one url"),
        ("cancel", "{}", "receipt", "missing"), ("cancel", #"{"receipt":"1"}"#, "receipt", "number of a receipt"),
        ("cancel", #"{"receipt":1.5}"#, "receipt", "number of a receipt"), ("abort", "{}", "task", "missing"),
        ("cancel", #"{"receipt":1180591620717411303424}"#, "receipt", "not a number that is too large"),
        ("pause", #"{"task":null}"#, "task", "number of a task"), ("priority", #"{"task":1}"#, "value", "missing"),
        ("priority", #"{"task":1,"value":"urgent"}"#, "value", "low, normal, high"),
        ("move", #"{"task":1}"#, "by", "missing"), ("move", #"{"task":1,"by":0.5}"#, "by", "whole number"),
        ("set", #"{"value":1}"#, "name", "missing"), ("set", #"{"name":"order"}"#, "value", "missing"),
        ("set", #"{"name":"order","value":"random"}"#, "value", "fifo or lifo"),
        ("set", #"{"name":"maxActive","value":0}"#, "value", "1 to 64"),
        ("set", #"{"name":"maxActive","value":[1]}"#, "value", "a string, a number"),
        ("set", #"{"name":"maxActive","value":["7"]}"#, "value", "not an array"),
        ("set", #"{"name":"indicatorEnabled","value":[]}"#, "value", "not an array"),
        ("set", #"{"name":"keyFilter","value":[5]}"#, "value", "a list of strings"),
        ("set", #"{"name":"maxactive","value":1}"#, "name", "did you mean maxActive"),
        ("set", #"{"name":"maxActive","value":1.5}"#, "value", "1 to 64"),
        ("set", #"{"name":"maxActive","value":-99999999999999999999}"#, "value", "1 to 64"),
        ("set", #"{"name":"timeout","value":-1e300}"#, "value", "a time in seconds"),
        ("set", #"{"name":"nothing","value":-1e300}"#, "name", "there is no setting nothing"),
        ("queue", #"{"from":0}"#, "from", "from 1 to"), ("queue", #"{"count":-1}"#, "count", "from 0 to"),
        ("state", #"{"full":true}"#, "full", "state takes {}"), ("cache.remove", "{}", "key", "missing"),
        ("prefetch", #"{"urls":{}}"#, "urls", "array of strings"), ("subscribe", #"{"since":-1}"#, "since", "seq"),
        ("subscribe", #"{"since":"1"}"#, "since", "seq"),
    ])
    func aWrongFieldIsNamedWithWhatIsAllowed(method: String, parameters: String, field: String, allowed: String) {
        let line = #"{"jsonrpc":"2.0","id":"x","method":"\#(method)","params":\#(parameters)}"#
        guard case .single(let call) = message(line), case .failure(let error) = call.action else {
            Issue.record("\(line) was taken")
            return
        }
        #expect(call.id == .string("x"))
        #expect(error.code == -32602)
        #expect(error.message.hasPrefix(field + ": "), "\(error.message)")
        #expect(error.message.contains(allowed), "\(error.message)")
    }

    @Test(arguments: ControlMethod.allCases)
    func theExampleOfAMethodIsARightCall(method: ControlMethod) {
        let parameters = method.example ?? "{}"
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method.rawValue)","params":\#(parameters)}"#
        guard case .single(let call) = message(line), case .success = call.action else {
            Issue.record("\(line) was refused")
            return
        }
        #expect(call.method == method)
    }

    @Test func aTagHasAtMostTwoHundredBytes() {
        for (tag, isTaken) in [("é".repeated(100), true), ("é".repeated(100) + "a", false)] {
            let line = #"{"jsonrpc":"2.0","id":1,"method":"submit","params":{"url":"a","tag":"\#(tag)"}}"#
            guard case .single(let call) = message(line) else { return }
            let wasTaken: Bool = if case .success = call.action { true } else { false }
            #expect(wasTaken == isTaken)
        }
    }

    @Test func aRequestHasTheWishesOfItsCall() throws {
        let line = #"""
            {"jsonrpc":"2.0","id":1,"method":"submit","params":{"url":"http://a/","headers":{"X-B":" 2 \t","x-a":"1"},"policy":"reload",\#
            "priority":"high","destination":"b/c.bin","retryFailed":true,"tag":"t"}}
            """#.replacing("\n", with: "")
        guard case .single(let call) = message(line), case .success(.query(.submit(let requests))) = call.action else {
            Issue.record("refused")
            return
        }
        let request = try #require(requests.first)
        #expect(request.url == "http://a/" && request.tag == "t" && !call.isList)
        #expect(request.options.headers == [HeaderField("X-B", "2"), HeaderField("x-a", "1")])
        #expect(request.options.policy == .reload && request.options.priority == .high)
        #expect(request.options.destination == "b/c.bin" && request.options.retryFailed && request.options.saves)
    }

    @Test(
        "a number is taken however it is written",
        arguments: [
            ("timeout", "0.00001", SettingValue.seconds(0.00001)), ("timeout", "1e1", .seconds(10)),
            ("limitRate", "1e16", .integer(10_000_000_000_000_000)), ("maxActive", "2.0", .integer(2)),
        ]
    )
    func settingIsANumber(name: String, number: String, value: SettingValue) {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"name":"\#(name)","value":\#(number)}}"#
        guard case .single(let call) = message(line), case .success(.query(.set(let change))) = call.action else {
            Issue.record("refused")
            return
        }
        #expect(change == SettingChange(name: name, value: value))
    }

    @Test func aBatchKeepsTheOrderOfItsCalls() {
        guard
            case .batch(let calls) = message(
                #"[{"jsonrpc":"2.0","id":1,"method":"state"},{"jsonrpc":"2.0","method":"quit"},7]"#
            )
        else {
            Issue.record("no batch")
            return
        }
        #expect(calls.map(\.id) == [.integer(1), nil, .null])
        #expect(calls.map(\.method) == [.state, .quit, nil])
    }

    @Test func anIdComesBackAsItCame() throws {
        let encoder = ControlEncoder(
            events: EventEncoder(start: .zero)
        )
        let large = ["18446744073709551614", "18446744073709551615", "0.1234567890123456789", "1e2"]
        for id in ["1", "-7", "null", #""a\u001b""#, "1.5", "9007199254740993"] + large {
            guard case .single(let call) = message(#"{"jsonrpc":"2.0","id":\#(id),"method":"wait"}"#) else { return }
            var line: [UInt8] = []
            encoder.appendEmpty(to: call, to: &line)
            #expect(String(decoding: line, as: UTF8.self) == #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        }
    }

    @Test func historyKeepsTheLastTenThousandEvents() {
        var history = EventHistory()
        #expect(history.oldest == 1 && history.newest == 0)
        for seq in 1...25_000 {
            history.append(PipelineEvent(seq: seq, t: .zero, kind: .warning(code: .url, message: "\(seq)", task: nil)))
        }
        #expect(history.oldest == 15_001 && history.newest == 25_000)
        #expect(history.events(from: 15_001, through: .max - 200, atMost: 3).map(\.seq) == [15_001, 15_002, 15_003])
        #expect(history.events(from: 24_999, through: 25_000, atMost: 128).map(\.seq) == [24_999, 25_000])
        #expect(history.events(from: 15_000, through: 25_000, atMost: 1).isEmpty)
        #expect(history.events(from: 25_001, through: 25_000, atMost: 1).isEmpty)
    }

    /// Whoever is behind has lost the others.
    @Test func historyKeepsNoMoreThanItsShareOfHeads() {
        var history = EventHistory()
        var content = ResponseHead.Content(status: 200, finalURL: "http://h/")
        content.fields = (0..<5_000).map { HeaderField("X-\($0)", "0123456789") }
        let head = ResponseHead(content)
        for seq in 1...1_000 {
            history.append(PipelineEvent(seq: seq, t: .zero, kind: .taskResponse(TaskID(seq), head, source: .network)))
        }
        #expect(history.newest == 1_000 && history.oldest > 800)
        let kept = history.newest - history.oldest + 1
        #expect(kept > 50 && kept * 5_000 * 13 < EventHistory.headLimit)
        #expect(history.events(from: history.oldest, through: 1_000, atMost: 9).count == 9)
        #expect(history.events(from: history.oldest - 1, through: 1_000, atMost: 9).isEmpty)
    }

    private func message(_ line: String) -> ControlMessage {
        ControlMessage(line: Array(line.utf8)[...], context: Self.context)
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
