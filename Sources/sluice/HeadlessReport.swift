internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceUI

/// What `get` says on standard error: a line of progress on a terminal, and a summary.
///
/// Events and snapshots arrive on the loop's thread, the lines are written by the main one.
final class HeadlessReport: Sendable {
    struct Result: Sendable {
        var counts = SessionCounts()
        /// The first failures, with reasons.
        var failures: [(url: String, message: String)] = []
        /// The first of what else is worth knowing of single files.
        var notes: [String] = []
        var noteCount = 0
        var isDiskFull = false
        /// Why nothing is kept for next time.
        var stateProblem: String?
        var isEnded = false
        var elapsed: Duration = .zero
    }

    /// What becomes of unfinished requests.
    enum NextTime {
        /// Parts are kept, and the same command goes on with them.
        case resumes
        case startsOver
        /// They came from programs, which alone know them.
        case submitAgain
        /// Nothing was begun, nor would be.
        case suspendsAgain

        fileprivate var advice: String {
            switch self {
            case .resumes: "the same command resumes them"
            case .startsOver: "the same command starts them over"
            case .suspendsAgain: "the queue was suspended, and the same command suspends it again"
            case .submitAgain: "nothing knows them next time, so submit them again"
            }
        }
    }

    private struct State {
        var result = Result()
        var snapshot: PipelineSnapshot?
        var hasLine = false
    }

    private static let failureLimit = 10
    /// In characters: as much of a line leaves room for the reason, which is what the line is for.
    private static let longestURL = 500

    /// The warnings that are about a file, and why it is not where or what it was expected to be.
    private static let noted: Set<WarningCode> = [.copy, .extraBytes, .kept, .name, .notKept, .skipped]

    let showsProgress: Bool
    /// Whether failures are red.
    private let usesColor: Bool
    /// Whether progress is told in ASCII only.
    private let isASCII: Bool
    /// Rings when there is progress to show or the session ended.
    let bell = Doorbell()
    private let state = Locked(State())
    private let stop = OutputStop()

    init(showsProgress: Bool, usesColor: Bool, isASCII: Bool) {
        (self.showsProgress, self.usesColor, self.isASCII) = (showsProgress, usesColor, isASCII)
    }

    var result: Result { state.withLock { $0.result } }
    var isEnded: Bool { state.withLock { $0.result.isEnded } }

    var listener: EventListener { EventListener([.failures, .session]) { [self] in hear($0) } }

    func show(_ snapshot: PipelineSnapshot) {
        state.withLock { $0.snapshot = snapshot }
        bell.ring()
    }

    /// Answers the bell: shows the latest progress.
    func takeBell() {
        bell.answer()
        let snapshot = state.withLock { state in
            defer { state.snapshot = nil }
            if state.snapshot != nil { state.hasLine = true }
            return state.snapshot
        }
        // A terminal that stands still, as after ^S, must not hold up what else is heard.
        guard let snapshot, OutputStop.hasRoom(STDERR_FILENO) else { return }
        let line = ProgressLine(snapshot, columns: Self.columns, isASCII: isASCII)
        let parts = line.facts.map { $0.isAlarming ? alarming($0.text) : $0.text }
        write("\r\u{1B}[K" + parts.joined(separator: line.separator))
    }

    /// Of the terminal, which may have been resized since the last look.
    private static var columns: Int {
        var size = winsize()
        guard unsafe sluice_get_window_size(STDERR_FILENO, &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    func clearProgress() {
        if state.withLock({ $0.hasLine }) { write("\r\u{1B}[K") }
    }

    /// - Parameters:
    ///   - directory: Where files went; `nil` without saving.
    ///   - next: What becomes of what is not finished, if it can be kept.
    ///   - record: Where every event was written: a file, or `-` for standard output; `nil` if nowhere.
    func printSummary(directory: String?, _ next: NextTime, record: String?) {
        let result = result
        let counts = result.counts
        var facts: [String] = []
        if directory != nil { facts.append("saved \(files(counts.saved)), \(Format.bytes(counts.savedBytes).text)") }
        facts.append("received \(Format.bytes(counts.bytes).text) in \(Self.time(result.elapsed))")
        if counts.joined > 0 { facts.append("\(counts.joined) merged") }
        if counts.cached > 0 { facts.append("\(counts.cached) from the cache") }
        if counts.cancelledForUsers > 0 { facts.append("\(counts.cancelledForUsers) cancelled") }
        if counts.withdrawn > 0 { facts.append(Self.withdrawn(counts.withdrawn)) }
        if counts.left > 0 {
            let next = next == .resumes && result.stateProblem != nil ? .startsOver : next
            facts.append("\(counts.left) unfinished: \(next.advice)")
        }
        write("sluice: " + facts.joined(separator: ", ") + "\n")
        if let problem = result.stateProblem { write("sluice: \(VisibleText.visible(problem))\n") }
        let failures = counts.failedForUsers + counts.rejectedForUsers
        if failures > 0 {
            write(alarming("\(failures) failed:") + "\n")
            let lines = result.failures.map { failure in
                Self.place(VisibleText.visible(failure.url, limit: Self.longestURL)) + failure.message
            }
            list(lines, of: failures, record)
        }
        if result.noteCount > 0 {
            write("\(result.noteCount == 1 ? "1 note" : "\(result.noteCount) notes"):\n")
            list(result.notes, of: result.noteCount, record)
        }
    }

    /// What stands before a reason; of what would be no more than a login, nothing is shown.
    private static func place(_ url: String) -> String { url.isEmpty || url.hasSuffix(": ") ? url : url + ": " }

    /// Writes the first lines of a list, how many there are besides, and where all of them stand.
    private func list(_ lines: [String], of count: Int, _ record: String?) {
        for line in lines { write("  \(VisibleText.visible(line))\n") }
        guard count > lines.count else { return }
        let place =
            switch record {
            case nil: "--events FILE or --log FILE"
            case "-"?: "standard output"
            case let file?: VisibleText.visible(file)
            }
        write("  and \(count - lines.count) more: \(place) names all\n")
    }

    private func alarming(_ text: String) -> String { usesColor ? "\u{1B}[31m\(text)\u{1B}[39m" : text }

    /// Short ones to the millisecond, where tenths of a second would be none.
    private static func time(_ duration: Duration) -> String {
        duration < .milliseconds(100) ? "\(duration.nanoseconds / 1_000_000) ms" : Format.seconds(duration)
    }

    /// What no count of tasks shows, though the status tells of it.
    private static func withdrawn(_ count: Int) -> String {
        count == 1
            ? "1 request cancelled while its download went on"
            : "\(count) requests cancelled while their downloads went on"
    }

    private func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    /// The program is told to end: a terminal that takes nothing is not waited for any more.
    func hurry() { stop.ring() }

    private func write(_ text: String) {
        _ = EventWriter.writeAll(Array(text.utf8), to: STDERR_FILENO, stop: stop)
    }

    private func hear(_ event: PipelineEvent) {
        switch event.kind {
        case .requestSubmitted(let news):
            // A line that is no URL is hardly found by its text.
            if let error = news.error, news.origin != .revalidation {
                fail(news.origin.linePlace + news.url, error)
            }
        case .taskFinished(let end):
            if let error = end.error, end.outcome == .failed, !end.isBehindAnswer { fail(end.url, error) }
        case .sessionEnded(let counts):
            state.withLock { state in
                state.result.counts = counts
                state.result.elapsed = event.t
                state.result.isEnded = true
            }
            bell.ring()
        case .warning(.state, let message, _):
            state.withLock { $0.result.stateProblem = message }
        case .warning(.stateKept, _, _):
            state.withLock { $0.result.stateProblem = nil }
        case .warning(let code, let message, _) where Self.noted.contains(code):
            state.withLock { state in
                state.result.noteCount += 1
                if state.result.notes.count < Self.failureLimit { state.result.notes.append(message) }
            }
        case .sessionStarted, .taskChanged, .taskResponse, .taskProgress, .receiptFinished, .cacheChanged,
            .cachePurged, .httpCacheChanged, .indicatorChanged, .settingChanged, .prefetchProgress, .trustDecided,
            .warning:
            break
        }
    }

    private func fail(_ url: String, _ error: DownloadError) {
        state.withLock { state in
            if error.code == .diskFull {
                state.result.isDiskFull = true
                bell.ring()
            }
            guard state.result.failures.count < Self.failureLimit else { return }
            state.result.failures.append((url, error.message))
        }
    }
}
