internal import CLinux
internal import SluiceCore
internal import SluiceSystem
public import SluiceUI

/// Drives an application on a terminal: waits, hands it everything that came, then draws once.
///
/// Synchronous, and blocks its thread; an idle one sleeps in `poll(2)` without a limit.
/// It knows no pipeline: what an application asks for goes to a closure, except what
/// concerns the terminal.
public struct TerminalLoop: ~Copyable {
    /// Why a loop ended.
    public enum End: Equatable, Sendable {
        /// The application asked for it, with ``AppEffect/quit``.
        case quit
        /// SIGINT, SIGTERM or SIGHUP; its number.
        case signal(Int32)
        /// The terminal hung up.
        case terminalLost
    }

    /// Bytes read before what they mean is looked at: a long paste must not shut out everything else.
    private static let readLimit = 1_048_576

    private var screen: CursesScreen
    private let mailbox: Mailbox
    private let signals: SignalWatch
    private var decoder: InputDecoder
    private var mustDraw = true
    private var graphics: PixelGraphics
    /// Whether the ground has still to be asked for, which waits for the first frame.
    private var mustAsk: Bool

    /// Bytes that a terminal may have left to take when the next frame comes.
    private static let backlogLimit = 4_096
    /// How long a frame may take to write.
    private static let writeLimit: Duration = .milliseconds(50)

    /// Takes the screen over.
    ///
    /// - Parameters:
    ///   - screen: Where the application is seen.
    ///   - mailbox: News for it.
    ///   - signals: The watch that the screen was opened with.
    ///   - asksForGround: Whether the application wants ``AppEvent/ground(isLight:)``.
    public init(
        screen: consuming CursesScreen,
        mailbox: Mailbox,
        signals: SignalWatch,
        asksForGround: Bool = false
    ) {
        mustAsk = asksForGround
        decoder = InputDecoder(keys: screen.keys)
        graphics = PixelGraphics(terminal: screen.capabilities.terminal, variable: Environment.variable)
        self.screen = screen
        (self.mailbox, self.signals) = (mailbox, signals)
    }

    /// Runs until the application quits, a signal ends it or the terminal is gone; then the terminal is restored.
    ///
    /// SIGINT, SIGTERM, SIGHUP and a lost terminal reach the application as
    /// ``AppEvent/interrupted``, and its effects are still performed.
    ///
    /// - Parameters:
    ///   - application: Handles one event at a time, on this thread.
    ///   - perform: Carries out an effect that is not the terminal's, and may answer at once; longer work is answered
    ///     through ``Mailbox/post(answer:)``.
    /// - Returns: Why it ended.
    public consuming func run(
        _ application: inout some TerminalApplication,
        perform: (AppEffect) -> AppEvent?
    ) -> End {
        var now = MonotonicClock.now()
        var events = [resized]
        while true {
            if deliver(events, to: &application, now: now, perform: perform) { return .quit }
            draw(&application, now: now)

            let wake = application.nextWake(after: now)
            wait(
                until: [wake, application.frameDue(now: now), decoder.deadline, graphics.deadline].compactMap(\.self)
                    .min(),
                from: now
            )
            now = MonotonicClock.now()

            events = takeSignals() + takeNews()
            let (inputs, isGone) = takeInput(now: now)
            // After the input: an answer that is there has come in time.
            graphics.timePassed(now: now)
            if let end = signals.ending.map({ .signal($0) }) ?? (isGone ? End.terminalLost : nil) {
                _ = deliver(events + inputs + [.interrupted], to: &application, now: now, perform: perform)
                return end
            }
            events += inputs
            if let wake, wake <= now { events.append(.wake) }
        }
    }

    private var resized: AppEvent { .resized(width: screen.size.width, height: screen.size.height) }

    /// Hands over events, carries out what they lead to, and hands over the answers.
    ///
    /// - Returns: Whether the application quits; the rest of its events are dropped.
    private mutating func deliver(
        _ events: [AppEvent],
        to application: inout some TerminalApplication,
        now: Timestamp,
        perform: (AppEffect) -> AppEvent?
    ) -> Bool {
        var isOver = false
        for event in events where !isOver {
            var answers: [AppEvent] = []
            for effect in application.handle(event, now: now) {
                switch effect {
                case .quit: isOver = true
                case .repaint:
                    screen.repaint()
                    mustDraw = true
                case .copy(let text): screen.copy(text)
                case .stop:
                    screen.stop()
                    answers += resumed()
                case .mouse(let isOn): screen.reportMouse(isOn)
                case .askForGround: screen.askForGround()
                case .pipeline, .readList, .lookAtList, .readFolder, .open, .saveHistory, .submitPicture, .readPicture,
                    .dropPicture, .lookAtTrust, .draftPin, .pin:
                    answers += [perform(effect)].compactMap(\.self)
                }
            }
            guard !isOver else { break }
            isOver = deliver(answers, to: &application, now: now, perform: perform)
        }
        return isOver
    }

    private mutating func draw(_ application: inout some TerminalApplication, now: Timestamp) {
        let isDue = application.frameDue(now: now).map { $0 <= now } ?? false
        guard mustDraw || isDue, !screen.isAway else { return }
        if !mustDraw, screen.device.unsent > Self.backlogLimit {
            _ = application.handle(.link(isSlow: true), now: now)
            return
        }
        mustDraw = false
        let (width, height) = screen.size
        let started = MonotonicClock.now()
        screen.present(application.frame(width: width, height: height, now: now))
        // From now on: a frame can take a while, which is none of the terminal's time.
        let questions = graphics.questions(now: MonotonicClock.now())
        if !questions.isEmpty { screen.device.write(questions) }
        let ended = MonotonicClock.now()
        _ = application.handle(.link(isSlow: ended - started > Self.writeLimit), now: ended)
        if mustAsk { screen.askForGround() }
        mustAsk = false
    }

    private func wait(until deadline: Timestamp?, from now: Timestamp) {
        var ready = [screen.inputDescriptor, mailbox.descriptor, signals.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = MonotonicClock.milliseconds(from: now, to: deadline)
        _ = unsafe ready.withUnsafeMutableBufferPointer {
            unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
        }
    }

    private mutating func takeSignals() -> [AppEvent] {
        let came = signals.take()
        var events: [AppEvent] = []
        if came.contains(.stop) {
            screen.stop()
            events += resumed()
        } else if came.contains(.resume) {
            screen.takeBack()
            events += resumed()
        }
        if came.contains(.resize), screen.resize() {
            mustDraw = true
            events.append(resized)
        }
        return events
    }

    private mutating func resumed() -> [AppEvent] {
        mustDraw = true
        return [.resumed, resized]
    }

    private func takeNews() -> [AppEvent] {
        let news = mailbox.take()
        var events = news.answers
        if !news.events.isEmpty { events.append(.events(news.events.elements, lost: news.events.lost)) }
        if let snapshot = news.snapshot { events.append(.snapshot(snapshot)) }
        return events
    }

    private mutating func takeInput(now: Timestamp) -> (events: [AppEvent], isGone: Bool) {
        if screen.isAway { return ([], false) }
        var inputs: [TerminalInput] = []
        let isGone = unsafe withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            var total = 0
            while total < Self.readLimit {
                switch unsafe screen.device.read(into: buffer) {
                case .none: return false
                case .gone: return true
                case .bytes(let count):
                    unsafe inputs += decoder.decode(buffer[..<count], now: now)
                    total += count
                }
            }
            return false
        }
        // After the bytes: what is there has come in time, however long nobody looked.
        inputs += decoder.timeOut(now: now)
        let events = inputs.compactMap { input -> AppEvent? in
            switch input {
            case .key(let key): return .key(key)
            case .paste(let text): return .paste(text)
            case .cutPaste: return .cutPaste
            case .focus(let isFocused): return .focus(isFocused)
            case .mouse(let mouse): return .mouse(mouse)
            case .ground(let isLight): return .ground(isLight: isLight)
            case .report(let report):
                guard let size = graphics.take(report) else { return nil }
                screen.usePictures()
                return .pixels(size)
            }
        }
        return (events, isGone)
    }
}
