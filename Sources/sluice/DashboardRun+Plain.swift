internal import Glibc
internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal
internal import SluiceUI

/// The dashboard as plain lines, which needs no terminal.
extension DashboardRun {
    /// Runs until the user quits, a signal comes, or the input ended and nothing is left to do.
    mutating func runPlain(
        _ session: Session,
        _ mailbox: Mailbox,
        _ signals: SignalWatch,
        _ outbox: DashboardOutbox
    ) -> ExitStatus {
        var dashboard = PlainDashboard(configuration(session, nil))
        if !requests.isEmpty { session.pipeline.send(.submit(requests)) }
        requests = []
        feed?(session)
        let pressure = MemoryPressure { session.pipeline.send(.pressure) }
        var loop = PlainLoop(mailbox: mailbox, signals: signals)
        let run = self
        let end = loop.run(
            &dashboard,
            print: { lines in
                guard !lines.isEmpty else { return }
                for line in lines { print(line) }
                fflush(nil)
            },
            inputEnded: { session.pipeline.finishWhenIdle() },
            perform: { effect in run.perform(effect, session, mailbox) }
        )
        session.shutDown()
        session.waitUntilEnded()
        withExtendedLifetime(pressure) {}
        let final = outbox.last
        for line in dashboard.summary(final: final) { print(line) }
        return end != .quit && (final?.counts.left ?? 0) > 0 ? .stopped : .success
    }
}
