internal import SluiceCore

/// What is printed on the normal screen when the dashboard has gone: saved, failed with reasons, left, where.
enum LeaveSummary {
    /// - Parameters:
    ///   - snapshot: The last state of the pipeline.
    ///   - failed: Tasks that failed and were not tried again.
    ///   - refused: Requests of the command line and of lists that were refused at once.
    ///   - directory: Where they went, as it is shown to people.
    ///   - keptIn: Where the queue is kept for the next time, as it is shown to people; `nil` if it is not.
    ///   - isTemporary: Whether the directory is removed with all in it, so that nothing is there to be found.
    /// - Returns: Lines that are safe to print; none if nothing was asked for.
    static func lines(
        snapshot: PipelineSnapshot,
        failed: [FailedTask],
        refused: RefusedRequests = RefusedRequests(),
        directory: String?,
        keptIn: String? = nil,
        isTemporary: Bool = false
    ) -> [String] {
        let counts = snapshot.counts
        let left = snapshot.left
        guard counts.requests > 0 || left > 0 || counts.saved > 0 || !failed.isEmpty || refused.count > 0 else {
            return []
        }
        var lines: [String] = []
        let place = isTemporary ? "" : directory.map { " in " + VisibleText.visible($0) } ?? ""
        let end = isTemporary ? "; the demo's folder was removed" : ""
        if counts.saved > 0 {
            let received = Format.bytes(snapshot.received).text
            lines.append("saved \(Format.plural(counts.saved, "file"))\(place), \(received) received\(end)")
        } else if counts.succeededForUsers > 0 {
            lines.append(
                "\(Format.plural(counts.succeededForUsers, "task")) done, \(Format.bytes(snapshot.received).text) received"
            )
        }
        if counts.cancelled > 0 { lines.append("\(Format.count(counts.cancelled)) cancelled") }
        if !failed.isEmpty {
            lines.append("\(Format.count(failed.count)) failed:")
            for task in failed.prefix(10) {
                let url = Elision.middle(VisibleText.visible(task.url, limit: 300), 100)
                lines.append("  \(url): \(VisibleText.visible(EventSentence.brief(task.error), limit: 500))")
            }
            if failed.count > 10 { lines.append("  and \(Format.count(failed.count - 10)) more") }
        }
        if refused.count > 0 {
            lines.append("\(Format.count(refused.count)) refused:")
            for request in refused.first {
                let text = Elision.middle(VisibleText.visible(request.text, limit: 300), 100)
                lines.append("  \(text): \(VisibleText.visible(request.message, limit: 500))")
            }
            if refused.count > refused.first.count {
                lines.append("  and \(Format.count(refused.count - refused.first.count)) more")
            }
        }
        if left > 0 {
            let requests = Format.plural(left, "request")
            let lost = isTemporary ? "nothing of the demo is kept" : "partial files are kept, the queue is not restored"
            lines.append(
                keptIn.map { "\(requests) kept for next time in \(VisibleText.visible($0)): start sluice to go on" }
                    ?? "\(requests) left undone: \(lost)"
            )
        }
        return lines.isEmpty ? ["nothing downloaded"] : lines
    }

    /// The same of what a dashboard knows; `final` is the last state of the pipeline, if that is newer.
    static func lines(_ state: AppState, final: PipelineSnapshot?) -> [String] {
        let configuration = state.configuration
        return lines(
            snapshot: final ?? state.snapshot,
            failed: state.failed.tasks,
            refused: state.refused,
            directory: configuration.directory ?? state.snapshot.directory,
            keptIn: state.hasLostState ? nil : configuration.keptIn,
            isTemporary: configuration.isTemporary
        )
    }
}
