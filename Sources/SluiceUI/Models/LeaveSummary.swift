internal import SluiceCore

/// What is printed on the normal screen when the dashboard has gone: saved, failed with reasons, left, where.
enum LeaveSummary {
    /// - Parameters:
    ///   - snapshot: The last state of the pipeline.
    ///   - failed: Tasks that failed and were not tried again.
    ///   - forgotten: How many more, that can't be named.
    ///   - refused: Requests of the command line and of lists that were refused at once.
    ///   - directory: Where they went, as it is shown to people.
    ///   - keptIn: Where the queue is kept for the next time, as it is shown to people; `nil` if it is not.
    ///   - recordsParts: Whether a later session goes on with what came of unfinished files.
    ///   - isTemporary: Whether the directory is removed with all in it, so that nothing is there to be found.
    /// - Returns: Lines that are safe to print; none if nothing was asked for.
    static func lines(
        snapshot: PipelineSnapshot,
        failed: [FailedTask],
        forgotten: Int = 0,
        refused: RefusedRequests = RefusedRequests(),
        directory: String?,
        keptIn: String? = nil,
        recordsParts: Bool = true,
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
        if counts.cancelledForUsers > 0 { lines.append("\(Format.count(counts.cancelledForUsers)) cancelled") }
        let named = failed.prefix(10).map { ($0.url, EventSentence.brief($0.error)) }
        lines += list("failed", failed.count + forgotten, named)
        lines += list("refused", refused.count, refused.first.map { ($0.text, $0.message) })
        if left > 0 {
            let requests = Format.plural(left, "request")
            let parts = recordsParts ? "partial files are kept" : "what came so far is not kept"
            let lost = isTemporary ? "nothing of the demo is kept" : "\(parts), the queue is not restored"
            lines.append(
                keptIn.map { "\(requests) kept for next time in \(VisibleText.visible($0)): start sluice to go on" }
                    ?? "\(requests) left undone: \(lost)"
            )
        }
        return lines.isEmpty ? ["nothing downloaded"] : lines
    }

    /// The first of what went wrong in some way, each with its reason; nothing where none did.
    private static func list(_ word: String, _ count: Int, _ first: [(text: String, reason: String)]) -> [String] {
        if count == 0 { return [] }
        let rows = first.map { text, reason in
            let text = Elision.middle(VisibleText.visible(text, limit: 300), 100)
            return "  \(text): \(VisibleText.visible(reason, limit: 500))"
        }
        let rest = count > rows.count ? ["  and \(Format.count(count - rows.count)) more"] : []
        return ["\(Format.count(count)) \(word):"] + rows + rest
    }

    /// The same of what a dashboard knows; `final` is the last state of the pipeline, if that is newer.
    static func lines(_ state: AppState, final: PipelineSnapshot?) -> [String] {
        let configuration = state.configuration
        return lines(
            snapshot: final ?? state.snapshot,
            failed: state.news.failed.tasks,
            forgotten: state.news.failed.forgottenCount,
            refused: state.refused,
            directory: configuration.directory ?? state.snapshot.directory,
            keptIn: state.news.hasLostState ? nil : configuration.keptIn,
            recordsParts: configuration.recordsParts,
            isTemporary: configuration.isTemporary
        )
    }
}
