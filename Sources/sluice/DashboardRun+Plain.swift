internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal
internal import SluiceUI

/// The dashboard as plain lines, which needs no terminal.
extension DashboardRun {
    /// Whether lines are what was asked for, or all that the terminal can show; says so if nobody asked.
    func usesPlainLines() -> Bool {
        guard !screenOptions.plain else { return true }
        // Editors and other programs that show lines only call themselves that.
        guard environment("TERM") == "dumb", isatty(STDOUT_FILENO) == 1 else { return false }
        note("TERM=dumb can't be drawn on: this is sluice --plain")
        return true
    }

    /// Runs until the user quits, a signal comes, or the input ended and nothing is left to do.
    mutating func runPlain(
        _ session: Session,
        _ mailbox: Mailbox,
        _ signals: SignalWatch,
        _ outbox: DashboardOutbox
    ) throws -> ExitStatus {
        var dashboard = PlainDashboard(configuration(session, nil))
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        requests = []
        feed?(session)
        var loop = PlainLoop(mailbox: mailbox, signals: signals)
        let effects = effects(session, mailbox)
        var output = Result<Bool, any Error>.success(true)
        let end = loop.run(
            &dashboard,
            print: { lines in
                // Who reads no more still downloads; what can't be written is said once, and is the end's status.
                if (try? output.get()) == true { output = Result { try StandardOutput.write(lines: lines) } }
            },
            inputEnded: { session.pipeline.finishWhenIdle() },
            perform: { effect in effects.perform(effect) }
        )
        session.shutDown()
        session.waitUntilEnded()
        let final = outbox.last
        if printsSummary, try output.get() { try StandardOutput.write(lines: dashboard.summary(final: final)) }
        session.noteLostOutput()
        _ = try output.get()
        return end != .quit && (final?.counts.left ?? 0) > 0 ? .stopped : .success
    }
}
