import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// The control socket of the real program: many clients, slow ones, hostile ones, and the stream of events.
@Suite(.timeLimit(.minutes(15)))
struct ControlStreamTests {
    private let origin: Origin
    private let run: GetRun
    private let path: String

    init() throws {
        origin = try Origin()
        let scratch = try Scratch()
        path = scratch.path("s")
        run = try GetRun(["--socket", path, "--retries", "0"], in: scratch)
    }

    private func quit(_ location: SourceLocation = #_sourceLocation) throws {
        try ControlPeer(path).call("quit")
        let result = try run.finish(location)
        #expect(result.exit == .exited(0), "\(result.errors)", sourceLocation: location)
    }

    @Test func answersAndEventsKeepTheirOrderAndTheStreamIsWhole() throws {
        origin.route("/a", .text("a"))
        let peer = try ControlPeer(path)
        #expect(try peer.call("subscribe", #"{"since":0}"#)["seq"] == .integer(1))
        for number in 1...50 {
            let answer = try peer.call("submit", #"{"url":"\#(origin.url("/a"))?\#(number)"}"#)
            // The event of a request comes before the answer to it.
            let events = peer.events.named("request.submitted")
            #expect(events.count == number)
            #expect(events.last?["receipt"] == answer["receipt"])
        }
        try peer.call("wait")
        let finished = peer.events.named("task.finished").count
        #expect(finished == 50, "all events of the tasks come before the answer to wait")
        let second = try ControlPeer(path)
        let seq = try #require(try second.call("subscribe", #"{"since":10}"#)["seq"]?.int)
        #expect(try second.nextEvent()["seq"] == .integer(11))
        #expect(seq >= peer.events.count)
        try second.call("quit")
        // To the end of the session, and then the connection is closed.
        var events = peer.events
        while let line = peer.receive() {
            if let event = try JSONValue(parsing: line)["params"] { events.append(event) }
        }
        #expect(peer.hasEnded)
        let result = try run.finish()
        #expect(events == result.events, "a subscriber from the start sees what the log has")
    }

    @Test func aBatchIsAnsweredInOneArrayAndNotificationsNotAtAll() throws {
        let peer = try ControlPeer(path)
        peer.send(
            line: """
                [{"jsonrpc":"2.0","id":"a","method":"state"},{"jsonrpc":"2.0","method":"pause"},5,\
                {"jsonrpc":"2.0","id":null,"method":"nope"},{"jsonrpc":"2.0","id":"b","method":"wait"}]
                """
        )
        let answers = try JSONValue(parsing: try #require(peer.receive())).array ?? []
        #expect(Set(answers.map { $0["id"]?.string ?? "null" }) == ["a", "b", "null"] && answers.count == 4)
        #expect(Set(answers.compactMap { $0["error"]?["code"]?.int }) == [-32600, -32601])
        peer.send(line: #"[{"jsonrpc":"2.0","method":"resume"}]"#)
        peer.send(line: #"{"jsonrpc":"2.0","method":"resume","params":{}}"#)
        peer.send(line: "  \r")
        // Nothing came in between.
        #expect(try peer.call("state")["settings"]?["suspended"] == .bool(false))
        // Calls that nobody waits for the answers of, the last one without a line break.
        let last = try ControlPeer(path)
        last.send(Array(#"{"jsonrpc":"2.0","id":7,"method":"wait"}"#.utf8))
        last.finishSending()
        #expect(last.receive() == #"{"jsonrpc":"2.0","id":7,"result":{}}"#)
        #expect(last.receive() == nil && last.hasEnded)
        try quit()
    }

    /// One after the other, so that nobody else waits, but in one line and in their order.
    @Test func aLongBatchIsAnsweredWhole() throws {
        origin.setFallback { _, _ in .text("a") }
        origin.hold()
        let peer = try ControlPeer(path)
        let urls = (1...100).map { "\"\(origin.url("/\($0)"))\"" }.joined(separator: ",")
        peer.send(line: #"{"jsonrpc":"2.0","id":0,"method":"submit","params":{"urls":[\#(urls)]}}"#)
        try #require(peer.receive() != nil)
        var calls = (1...300).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"state"}"# }
        calls.append(#"{"jsonrpc":"2.0","id":301,"method":"set","params":{"name":"maxActive","value":9}}"#)
        peer.send(line: "[" + calls.joined(separator: ",") + "]")
        let answers = try JSONValue(parsing: try #require(peer.receive())).array ?? []
        #expect(answers.compactMap { $0["id"]?.int } == Array(1...301))
        #expect(answers[..<300].allSatisfy { $0["result"]?["settings"]?["maxActive"] == .integer(4) })
        origin.release()
        try peer.call("wait")
        try quit()
    }

    @Test func aBatchWithTooLargeAnswersIsToldSo() throws {
        origin.setFallback { _, _ in .text("a") }
        origin.hold()
        let peer = try ControlPeer(path)
        let urls = (1...500).map { "\"\(origin.url("/\($0)-" + String(repeating: "a", count: 200)))\"" }
        let params = #"{"urls":[\#(urls.joined(separator: ","))]}"#
        peer.send(line: #"{"jsonrpc":"2.0","id":0,"method":"submit","params":\#(params)}"#)
        try #require(peer.receive() != nil)
        let call = #"{"jsonrpc":"2.0","id":1,"method":"queue","params":{"from":1,"count":500}}"#
        let calls = Array(repeating: call, count: 1_500)
        peer.send(line: "[" + calls.joined(separator: ",") + "]")
        let answer = try JSONValue(parsing: try #require(peer.receive()))
        #expect(answer["error"]?["message"]?.string?.contains("ask for less") == true)
        #expect(peer.receive() == nil && peer.hasEnded)
        origin.release()
        try ControlPeer(path).call("wait")
        try quit()
    }

    @Test("what a program asked for that did not stay for the answers is done, to its last line")
    func whoeverLeavesAtOnceIsServed() throws {
        origin.route("/a", .text("a"))
        let watcher = try ControlPeer(path)
        try watcher.call("subscribe", #"{"since":0}"#)
        for client in 0..<10 {
            let peer = try ControlPeer(path)
            // More than one client may have under way, and the last one without a line break.
            let calls = (0..<100).map { number in
                #"{"jsonrpc":"2.0","method":"submit","params":{"url":"\#(origin.url("/a"))?\#(client)-\#(number)"}}"#
            }
            peer.send(Array(calls.joined(separator: "\n").utf8))
        }
        var submitted = 0
        while submitted < 1_000 {
            if try watcher.nextEvent()["event"]?.string == "request.submitted" { submitted += 1 }
        }
        try watcher.call("wait")
        try quit()
    }

    /// What a program asked for before it asked for the end was asked for in time.
    @Test func whatStandsBeforeTheEndIsAnswered() throws {
        origin.hold()
        let peer = try ControlPeer(path)
        let urls = (1...500).map { "\"\(origin.url("/\($0)"))\"" }.joined(separator: ",")
        let calls = [
            #"{"jsonrpc":"2.0","id":1,"method":"submit","params":{"urls":[\#(urls)]}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"state"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"quit"}"#,
        ]
        peer.send(Array((calls.joined(separator: "\n") + "\n").utf8))
        var answers: [Int: JSONValue] = [:]
        while let line = peer.receive() {
            let answer = try JSONValue(parsing: line)
            answers[answer["id"]?.int ?? 0] = answer["result"]
        }
        #expect(answers[1]?.array?.count == 500 && answers[2]?["counts"]?["requests"] == .integer(500))
        #expect(answers[3] == .object([:]))
        let result = try run.finish()
        #expect(result.exit == .exited(7), "\(result.errors)")
    }

    @Test func whatIsNoCallIsRefusedAndLongLinesEndTheConnection() throws {
        let peer = try ControlPeer(path)
        for (line, code) in [
            ("{", -32700), ("\u{0}", -32700), ("[]", -32600), (String(repeating: "[", count: 100_000), -32700),
            (#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, -32601),
            (#"{"jsonrpc":"2.0","id":1,"method":"submit","params":{"url":[]}}"#, -32602),
        ] {
            peer.send(line: line)
            #expect(try ControlSchema.check(error: try #require(peer.receive())).code == code)
        }
        // A line of exactly the limit is read.
        let call = #"{"jsonrpc":"2.0","id":1,"method":"wait"}"#
        peer.send(line: call + String(repeating: " ", count: 1_048_576 - call.utf8.count))
        #expect(try ControlSchema.check(result: try #require(peer.receive()), of: "wait") == .object([:]))
        for size in [1_048_577, 10_485_760] {
            let long = try ControlPeer(path)
            long.send([UInt8](repeating: UInt8(ascii: " "), count: size) + Array("\n".utf8))
            #expect(try ControlSchema.check(error: try #require(long.receive())).code == -32600)
            #expect(long.receive() == nil && long.hasEnded)
        }
        try peer.call("wait")
        try quit()
    }

    @Test func aThousandProgramsAreServedBesideASubscriberThatNeverReads() throws {
        origin.route("/a", .text("a"))
        let deaf = try ControlPeer(path)
        deaf.send(line: #"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#)
        let greedy = try ControlPeer(path)
        // More answers than are made for somebody who takes none.
        let calls = String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"state"}"# + "\n", count: 2_000)
        greedy.send(Array(calls.utf8))
        ControlPeer.allowManyConnections()
        let peers = try (0..<(ChildProcess.isThreadSanitized ? 200 : 1_000)).map { _ in try ControlPeer(path) }
        for peer in peers.prefix(20) { peer.send(line: #"{"jsonrpc":"2.0","id":2,"method":"subscribe"}"#) }
        for peer in peers { peer.send(line: #"{"jsonrpc":"2.0","id":1,"method":"state"}"#) }
        for peer in peers {
            var line = try #require(peer.receive())
            if line.contains(#""id":2"#) { line = try #require(peer.receive()) }
            try ControlSchema.check(result: line, of: "state")
        }
        // More events than are kept for those who are late.
        let steady = try ControlPeer(path)
        for _ in 0..<60 {
            let list = (0..<100).map { "\"x\($0)\"" }.joined(separator: ",")
            for _ in 0..<2 { try steady.call("submit", #"{"urls":[\#(list)]}"#, as: "submit[]") }
        }
        #expect(try steady.call("state")["counts"]?["rejected"] == .integer(12_000))
        // The deaf one hears again: what the system held, and that it lost the rest.
        var last = ""
        while let line = deaf.receive() { last = line }
        let lost = try JSONValue(parsing: last)
        #expect(lost["method"] == .string("lost") && lost["params"]?["seq"]?.int != nil, "\(last.prefix(200))")
        #expect(deaf.hasEnded)
        withExtendedLifetime(greedy) {}
        try quitAfterRejections()
    }

    private func quitAfterRejections() throws {
        try ControlPeer(path).call("quit")
        #expect(try run.finish().exit == .exited(1))
    }

    @Test func aLivePathIsRefusedAndADeadOneTaken() throws {
        _ = try ControlPeer(path)
        let (_, second) = try GetRun.run(["--socket", path], events: .nowhere)
        #expect(second.exit == .exited(2) && second.errors.contains("another Sluice listens on"), "\(second.errors)")
        // Only its owner may connect.
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        run.child.send(signal: SIGKILL)
        _ = try run.finish(isWhole: false)
        let scratch = try Scratch()
        let heir = try GetRun(["--socket", path], in: scratch)
        try ControlPeer(path).call("quit")
        #expect(try heir.finish().exit == .exited(0))
        #expect(unsafe lstat(path, &status) != 0)
        let file = scratch.write("mine", to: "no-socket")
        let (_, refused) = try GetRun.run(["--socket", file], events: .nowhere)
        #expect(refused.exit == .exited(2) && refused.errors.contains("is no socket"))
        #expect(scratch.text("no-socket") == "mine")
    }

    @Test func whatIsNoLockOfASocketIsLeftAlone() throws {
        let scratch = try Scratch()
        for name in ["app.lock", "app.sluice-lock"] { scratch.write("precious", to: name) }
        let (_, refused) = try GetRun.run(["--socket", scratch.path("app")], events: .nowhere)
        #expect(refused.exit == .exited(2) && refused.errors.contains("app.sluice-lock is there and is no lock"))
        let (_, other) = try GetRun.run(["--socket", scratch.write("mine", to: "yarn")], events: .nowhere)
        #expect(other.exit == .exited(2))
        let names = ["app.lock", "app.sluice-lock", "yarn"]
        #expect(names.map { scratch.text($0) } == ["precious", "precious", "mine"])
        #expect(scratch.text("yarn.sluice-lock") == nil)
        try quit()
    }

    /// What the system holds for it is all that it gets, and that is whole lines.
    @Test func aSubscriberThatIsBehindAtTheEndGetsNoHalfLine() throws {
        let steady = try ControlPeer(path)
        // Of many such lines at once the system takes a part.
        let name = String(repeating: "x", count: 1_500)
        for _ in 0..<20 {
            let list = (0..<50).map { "\"\(name)\($0)\"" }.joined(separator: ",")
            try steady.call("submit", #"{"urls":[\#(list)]}"#, as: "submit[]")
        }
        let deaf = try ControlPeer(path)
        try deaf.call("subscribe", #"{"since":0}"#)
        try steady.call("quit")
        #expect(try run.finish().exit == .exited(1))
        var lines: [JSONValue] = []
        while let line = deaf.receive() { lines.append(try JSONValue(parsing: line)) }
        #expect(lines.count > 10 && lines.last?["params"]?["event"] != .string("session.ended"))
        #expect(deaf.hasEnded && deaf.rest.isEmpty, "\(deaf.rest)")
    }

    @Test func manyWhoWaitDoNotKeepTheWordFromWhatEndsIt() throws {
        origin.route("/a", .text("a"))
        origin.hold("/a")
        let peer = try ControlPeer(path)
        let task = try #require(try peer.call("submit", #"{"url":"\#(origin.url("/a"))"}"#)["task"]?.int)
        for number in 1...100 { peer.send(line: #"{"jsonrpc":"2.0","id":"\#(number)","method":"wait"}"#) }
        peer.send(line: #"{"jsonrpc":"2.0","id":"abort","method":"abort","params":{"task":\#(task)}}"#)
        var answers = Set<String>()
        while answers.count < 101, let line = peer.receive(), let id = try JSONValue(parsing: line)["id"]?.string {
            answers.insert(id)
        }
        #expect(answers.count == 101)
        try quitAfterRejections()
    }

    @Test func whoSubscribesAgainHearsNothingTwice() throws {
        let peer = try ControlPeer(path)
        try peer.call("subscribe", #"{"since":0}"#)
        try peer.call("submit", #"{"urls":["x","y"]}"#, as: "submit[]")
        peer.send(
            line: #"[{"jsonrpc":"2.0","id":1,"method":"subscribe"},{"jsonrpc":"2.0","id":2,"method":"submit","params":"#
                + #"{"urls":["z"]}},{"jsonrpc":"2.0","id":3,"method":"quit"}]"#
        )
        var numbers = peer.events.compactMap { $0["seq"]?.int }
        while let line = peer.receive() {
            if let number = try JSONValue(parsing: line)["params"]?["seq"]?.int { numbers.append(number) }
        }
        #expect(numbers == Array(1...numbers.count))
        #expect(try run.finish().exit == .exited(1))
    }

    @Test func aSignalEndsWhatWaitsForPrograms() throws {
        let peer = try ControlPeer(path)
        try peer.call("state")
        origin.route("/a", .text("a"))
        origin.hold("/a")
        try peer.call("submit", #"{"url":"\#(origin.url("/a"))"}"#)
        peer.send(line: #"{"jsonrpc":"2.0","id":"w","method":"wait"}"#)
        run.child.send(signal: SIGTERM)
        #expect(try run.finish().exit == .exited(7))
        #expect(try ControlSchema.check(error: try #require(peer.receive())).code == 2)
        #expect(peer.receive() == nil)
    }
}
