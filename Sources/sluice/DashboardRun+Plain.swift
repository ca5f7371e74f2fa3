internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceSystem
internal import SluiceTerminal
internal import SluiceUI

/// The dashboard as plain lines, which needs no terminal.
extension DashboardRun {
    /// Whether lines are what was asked for, or all that the terminal can show; says so if nobody asked.
    func usesPlainLines() -> Bool {
        guard screenOptions.plain != true else { return true }
        guard ScreenOptions.isDumb, isatty(wordsOutput) == 1 else { return false }
        note("TERM=dumb can't be drawn on: this is sluice --plain")
        return true
    }

    /// Runs until the user quits, a signal comes, or the input ended and nothing is left that goes on by itself.
    mutating func runPlain(
        _ session: Session,
        _ mailbox: Mailbox,
        _ signals: SignalWatch,
        _ outbox: DashboardOutbox,
        _ stop: OutputStop
    ) -> ExitStatus {
        var dashboard = PlainDashboard(
            configuration(session, nil),
            takesLines: !readsStandardInput,
            staysForPrograms: options.socket != nil
        )
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        requests = []
        feed?(session)
        // What came before is submitted first: the end of the list is the end of all.
        if readsStandardInput { feedStandardInput(session) { mailbox.post(answer: .inputEnded) } }
        var loop = PlainLoop(mailbox: mailbox, signals: signals, readsInput: !readsStandardInput)
        let output = wordsOutput
        let effects = effects(session, mailbox)
        var isRead = true
        var status = ExitStatus.success
        let end = loop.run(
            &dashboard,
            print: { lines in
                guard isRead else { return }
                // Who reads no more still downloads; what can't be written is said once, and is the end's status.
                do { isRead = try StandardOutput.write(lines: lines, to: output, stop: stop) } catch {
                    (isRead, status) = (false, error as? ExitStatus ?? .failures)
                }
            },
            inputEnded: { session.pipeline.finishWhenIdle() },
            perform: { effect in effects.perform(effect) }
        )
        // Who leaves by himself is told all of it, however slow his reader is.
        let last = end == .quit && !stop.isRung ? OutputStop(signals: signals) : stop
        session.shutDown()
        session.waitUntilEnded()
        let final = outbox.last
        session.noteLostOutput()
        if end != .quit || dashboard.hasStalled, (final?.counts.left ?? 0) > 0 { status = .stopped }
        let lines = printsSummary && isRead ? dashboard.summary(final: final) : []
        return StandardOutput.write(lines: lines, to: output, endingWith: status, stop: last)
    }
}
