internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem
public import SluiceUI

/// Drives a dashboard of plain lines: reads lines, hands over news, prints the answers.
///
/// Leaves the terminal as it is: it sets no mode and moves no cursor. An idle one sleeps
/// in `poll(2)` without a limit.
public struct PlainLoop {
    private let mailbox: Mailbox
    private let signals: SignalWatch
    private var cutter = LineCutter()
    private var isAtEnd: Bool

    /// Reads what the mailbox brings.
    ///
    /// - Parameters:
    ///   - mailbox: What brings news.
    ///   - signals: What ends it.
    ///   - readsInput: Whether standard input is typed lines; if not, it is somebody else's.
    public init(mailbox: Mailbox, signals: SignalWatch, readsInput: Bool = true) {
        (self.mailbox, self.signals, isAtEnd) = (mailbox, signals, !readsInput)
    }

    /// Runs until the user quits, a signal comes, or the session ended.
    ///
    /// - Parameters:
    ///   - dashboard: Turns news into lines.
    ///   - print: Writes lines, flushed.
    ///   - inputEnded: Called once when standard input has no more lines, and what they asked for is sent; the pipeline
    ///     may then end when it is idle. Where standard input is somebody else's, ``AppEvent/inputEnded`` says when.
    ///   - perform: Carries out an effect, and may answer at once.
    /// - Returns: Why it ended.
    public mutating func run(
        _ dashboard: inout PlainDashboard,
        print: ([String]) -> Void,
        inputEnded: () -> Void,
        perform: (AppEffect) -> AppEvent?
    ) -> TerminalLoop.End {
        print(dashboard.greeting)
        var hasToldEnd = false
        while true {
            let now = MonotonicClock.now()
            let wake = dashboard.nextWake(after: now)
            wait(until: wake, from: now)
            let then = MonotonicClock.now()
            var answers: [PlainDashboard.Answer] = []
            var hasEnded = false
            let news = mailbox.take()
            var events = news.answers
            if !news.events.isEmpty {
                events.append(.events(news.events.elements, lost: news.events.lost))
                hasEnded = news.events.elements.contains { event in
                    if case .sessionEnded = event.kind { true } else { false }
                }
            }
            if let snapshot = news.snapshot { events.append(.snapshot(snapshot)) }
            if let wake, wake <= then { events.append(.wake) }
            for event in events { answers.append(dashboard.handle(event, now: then)) }
            let wasAtEnd = isAtEnd
            for line in readLines() {
                let isTooLong = line.count > LineCutter.limit
                let text = String(decoding: line, as: UTF8.self)
                answers.append(isTooLong ? dashboard.refusedLine() : dashboard.typed(text, now: then))
            }
            if isAtEnd, !wasAtEnd { answers.append(dashboard.handle(.inputEnded, now: then)) }
            var next = answers[...]
            while let answer = next.popFirst() {
                print(answer.lines)
                for effect in answer.effects {
                    if let event = perform(effect) { next.append(dashboard.handle(event, now: then)) }
                }
            }
            if !hasToldEnd, dashboard.mayEnd {
                hasToldEnd = true
                inputEnded()
            }
            _ = signals.take()
            if let signal = signals.ending { return .signal(signal) }
            if dashboard.hasQuit || hasEnded { return .quit }
        }
    }

    private func wait(until deadline: Timestamp?, from now: Timestamp) {
        let inputs = (isAtEnd ? [] : [STDIN_FILENO]) + [mailbox.descriptor, signals.descriptor]
        var ready = inputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let milliseconds = MonotonicClock.milliseconds(from: now, to: deadline)
        _ = unsafe ready.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
        }
    }

    /// What has come of whole lines; the rest of the last one at the end of the input.
    private mutating func readLines() -> [ArraySlice<UInt8>] {
        var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard !isAtEnd, unsafe poll(&ready, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        guard count > 0 else {
            isAtEnd = true
            return cutter.end().map { [$0] } ?? []
        }
        return cutter.add(buffer[..<count])
    }
}
