internal import Glibc
internal import SluiceCore

extension ImagePipeline {
    /// Reports a verdict of the transport.
    func judged(_ transfer: TransferID, _ decision: TrustDecision, _ chain: TrustChain?) {
        emit(.tasks) { .trustDecided(decision) }
        guard let chain, decision.verdict.isAccepted else { return }
        let time = Int(configuration.wallClock() / 1000)
        guard let certificate = chain.endingSoon(at: time), trust.mayWarn(of: decision.host) else { return }
        let days = max(0, (certificate.notAfter - time) / 86_400)
        let end = certificate.notAfter < time ? "is out of date" : "ends in \(days) \(days == 1 ? "day" : "days")"
        // That of the host itself is mostly called as it is.
        let name = certificate.subject == decision.host ? "" : ", \(certificate.subject)"
        warn(.certificateEnds, "a certificate of \(decision.host) \(end)\(name)", task: transfers[transfer]?.task)
    }

    /// Changes whom to trust; tasks that exist keep to what they were submitted under.
    func setTrust(_ book: TrustBook) {
        guard book != trust.book else { return }
        let old = circumstances()
        trust.forget(before: scheduler.live.min { $0.rawValue < $1.rawValue })
        for task in scheduler.live.compactMap({ scheduler.task($0) }) where !isWhereItLeads(task) {
            redirected.noteUnderWay(task.key.url, trust.book(of: task.id))
        }
        trust.change(to: book, last: TaskID(scheduler.taskCount))
        forgetFailures(since: old)
        warnOfLenience()
    }

    /// Whether a task has its answer, and with it all redirects.
    private func isWhereItLeads(_ task: DownloadTask) -> Bool {
        if case .active(let transfer) = task.phase { transfers[transfer]?.hasHead == true } else { false }
    }

    /// Changes what one pattern of hosts is judged by, for requests to come.
    func changeTrust(_ change: TrustChange) -> PipelineAnswer {
        let old = trust.book.policy(of: change.pattern)
        do throws(TrustError) {
            setTrust(try trust.book.changed(by: change))
        } catch {
            return .trustRefused(error)
        }
        return .trustChanged(from: old, to: trust.book.policy(of: change.pattern))
    }

    /// Says that hosts may be anybody, whenever that begins.
    func warnOfLenience() {
        if let warning = trust.book.warning { warn(.insecure, warning, task: nil) }
    }
}
