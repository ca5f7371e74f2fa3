import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Histories of resources, run through a real pipeline with a real origin, whose clock the test sets.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCacheRowTests {
    @Test func everyRowIsAnsweredByWhomItSays() throws {
        let rows = HTTPCacheRow.all
        #expect(Set(rows.map(\.text)).count == rows.count, "a row stands there twice")
        #expect(Set(rows.map(\.description)).count == rows.count, "two rows have one name")
        #expect(rows.count >= 150 && rows.count { $0.steps.count >= 3 } >= 60, "the table must not shrink")
        let world = try RowWorld()
        for (number, row) in rows.enumerated() {
            let problem = try world.run(row, number: number)
            #expect(problem == nil, "\(row): \(row.text)")
        }
        try world.harness.finish()
    }
}

/// An origin, a pipeline and a clock that all rows share; each has a path of its own.
private final class RowWorld {
    private struct Script {
        /// Has what the path says next.
        var step = HTTPCacheRow.Step()
        /// Answers that it gave.
        var count = 0
        /// Whether the last request had a condition.
        var wasConditional = false
    }

    /// Who answered a request, and with what fields.
    private struct Answer {
        let source: String
        var error: String?
        var fields: [HeaderField] = []
    }

    let harness: PipelineHarness
    private let origin: Origin
    private let cache: TemporaryDirectory
    private let scripts = Scripts()
    private let clock = Clock()

    /// What each path says, for the origin's threads.
    private final class Scripts: Sendable {
        private let state = Locked<[String: Script]>([:])
        func change(_ path: String, _ body: (inout Script) -> Void) {
            state.withLock { body(&$0[path, default: Script()]) }
        }
        func of(_ path: String) -> Script { state.withLock { $0[path] ?? Script() } }
    }

    /// Milliseconds since 1970, as the test sets them.
    private final class Clock: Sendable {
        private let time = Locked<Int64>(1_700_000_000_000)
        var now: Int64 { time.withLock { $0 } }
        func advance(_ seconds: Int) { time.withLock { $0 += Int64(seconds) * 1000 } }
    }

    init() throws {
        origin = try Origin()
        cache = try TemporaryDirectory()
        let (scripts, clock) = (scripts, clock)
        origin.setFallback { request, _ in
            scripts.change(request.path) { script in
                script.count += 1
                let conditions = ["If-None-Match", "If-Modified-Since"]
                script.wasConditional = conditions.contains { request.header($0) != nil }
            }
            let script = scripts.of(request.path)
            let step = script.step
            let fields = step.answerFields.map { $0.dated(now: Int(clock.now / 1000)) }
            // Who makes no condition gets a body.
            let status = step.status == 304 && !script.wasConditional ? 200 : step.status
            let body = status == 304 ? [] : Array("\(request.path) \(script.count)".utf8)
            var answer = OriginResponse(status, headers: fields, body: .bytes(body))
            answer.interim = step.interim.map { OriginResponse.Interim(status: $0.status, headers: $0.fields) }
            if step.isCut { answer.fault = .close(after: 1) }
            return answer
        }
        harness = try PipelineHarness(saves: true, cache: cache.path + "/cache") { configuration in
            configuration.wallClock = { clock.now }
            configuration.settings.retries = 0
            configuration.settings.failedFor = .zero
        }
    }

    /// - Returns: What was not as the row says; `nil` if all was.
    func run(_ row: HTTPCacheRow, number: Int) throws -> String? {
        let path = "/r\(number)"
        var stored = 0
        for (index, step) in row.steps.enumerated() {
            clock.advance(step.advance)
            let before = scripts.of(path).count
            scripts.change(path) { ($0.step, $0.wasConditional) = (step, false) }
            let file = "r\(number)-\(index)"
            let answer = try ask(path, step, file)
            let source = answer.source
            let script = scripts.of(path)
            let place = "step \(index + 1)"
            guard source == step.source else {
                return "\(place) was answered by \(source), not \(step.source): \(answer.error ?? "")"
            }
            let asks = ["net", "reval", "fail", "behind"].contains(source) ? 1 : source == "again" ? 2 : 0
            let asked = script.count - before
            guard asked == asks || (source == "disk" && step.status >= 500) else {
                return "\(place) asked \(asked) times"
            }
            if let wanted = step.isConditional, script.wasConditional != wanted {
                return "\(place) \(wanted ? "had no condition" : "had a condition")"
            }
            for field in step.servedFields {
                let named = answer.fields.filter { $0.name.lowercased() == field.name.lowercased() }
                let values = named.map(\.value)
                guard values == (field.value.isEmpty ? [] : [field.value]) else {
                    return "\(place) was served with \(field.name) \(values), not \(field.value)"
                }
            }
            if step.isHead {
                if harness.directory.contents(of: file) != nil { return "\(place) made a file" }
                continue
            }
            if source == "net" || source == "again" { stored = script.count }
            let shown = source == "behind" ? stored : step.version ?? stored
            if source == "behind", step.status == 200 { stored = script.count }
            guard ["net", "again", "disk", "reval", "behind"].contains(source) else { continue }
            let text =
                harness.directory.contents(of: file).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
            let wanted = "\(path) \(shown)"
            if text != wanted { return "\(place) brought \(text), not \(wanted)" }
        }
        return nil
    }

    private func ask(_ path: String, _ step: HTTPCacheRow.Step, _ file: String) throws -> Answer {
        let options = RequestOptions(
            headers: step.requestFields.map { $0.dated(now: Int(clock.now / 1000)) },
            policy: step.policy,
            destination: file,
            method: step.isHead ? "HEAD" : "GET"
        )
        let user = step.user.map { "\($0):secret@" } ?? ""
        let url = "http://\(user)127.0.0.1:\(origin.port)\(path)"
        let before = harness.events.count
        harness.submit(url, options: options)
        let isBehind = step.source == "behind"
        let isDone = harness.wait { events in
            let news = Array(events[before...])
            return news.submissions.first?.outcome == .rejected || news.receiptEnds.count == (isBehind ? 2 : 1)
        }
        guard isDone else { return Answer(source: "nobody", error: "no answer") }
        let news = Array(harness.events[before...])
        if let error = news.submissions.first?.error { return Answer(source: "reject", error: error.message) }
        guard let end = news.taskEnds.first else { return Answer(source: "nobody", error: "no end") }
        if end.outcome != .success { return Answer(source: "fail", error: end.error?.message) }
        let source =
            switch end.source {
            case .network: step.source == "again" ? "again" : "net"
            case .disk: isBehind ? "behind" : "disk"
            case .revalidated: "reval"
            case .memory: "memory"
            }
        let heads = news.compactMap { event -> ResponseHead? in
            if case .taskResponse(end.task, let head, _) = event.kind { head } else { nil }
        }
        return Answer(source: source, fields: heads.last?.fields ?? [])
    }
}
