internal import SluiceCore

/// Who asked, what the server said, and what it means for the caches.
extension TaskDetail {
    // MARK: Who asked

    func receipts(width: Int) -> Section {
        let claims = state.inspectedClaims
        var section = Section(title: "receipts")
        // Of very many, the first are listed; live ones are counted all the same.
        let live = state.activeRows.first { $0.task == state.inspectedTask }?.receipts
        let ended = claims.count { $0.ended != nil }
        let all = max(claims.count, live.map { $0 + ended } ?? end?.receipts ?? 0)
        section.facts = [TaskColumns.receipts(all) + .dim(" on one task")]
        let isCut = all > claims.count && !claims.isEmpty
        if isCut { section.facts = [section.facts[0] + .dim(" · \(claims.count) listed"), section.facts[0]] }
        guard !claims.isEmpty else { return section }
        let selected = min(state.detail.receipt, claims.count - 1)
        // Where it is narrow the times go first; who asked and what came of it stay.
        let (at, age) = (width >= 62 ? 11 : 0, width >= 50 ? 8 : 0)
        let (answers, outcomes) = (12, 18)
        let digits = max(4, claims.map { String($0.receipt.rawValue).count }.max() ?? 0)
        let from = max(8, min(22, width - digits - 2 - at - age - answers - (width >= 62 ? outcomes : 14)))
        func columns(_ cells: [StyledText]) -> [(StyledText, Int)] {
            zip(cells, [digits + 2, from, at, age, answers, outcomes]).filter { $0.1 > 0 }.map { ($0, $1) }
        }
        func aligned(_ number: String) -> String {
            String(repeating: " ", count: max(0, digits - number.count)) + number
        }
        // An age grows; what has ended is as old as it was then.
        let time = ended == 0 ? "age" : ended == claims.count ? "took" : "time"
        let heading = [aligned("#"), "from", "at", time, "answer", "outcome"].map { StyledText.dim($0) }
        section.lines.append(.claim(columns(heading), index: nil, isSelected: false))
        for (index, claim) in claims.enumerated() {
            let at = claim.submitted.map { state.clock.time(after: $0, seconds: true) } ?? "–"
            let age = claim.submitted.map { Format.time((claim.ended ?? sessionTime) - $0) } ?? "–"
            let cells: [StyledText] = [
                .plain(aligned(String(claim.receipt.rawValue))),
                .plain(DetailView.source(claim.origin, columns: from - 1)), .dim(at), .plain(age), answer(claim),
                outcome(claim),
            ]
            section.lines.append(.claim(columns(cells), index: index, isSelected: index == selected))
        }
        let sentence = claims[selected].why.map { self.sentence($0, at: claims[selected].submitted ?? .zero) }
        // What stands above is said once.
        if let sentence, width >= 60, !reasons.contains(where: { $0.text == sentence }) {
            section.lines.append(.text(StyledText()))
            section.lines.append(.rule("why, receipt \(claims[selected].receipt.rawValue)", StyledText()))
            for line in TextWrap.lines(visible(sentence), columns: width) {
                section.lines.append(.text(.plain(line)))
            }
        }
        section.feet = [
            .dim("\(selected + 1) of \(Format.count(all))")
                + (claims[selected].outcome == nil
                    ? state.hint(" · ", .cancelReceipt, "cancels this one") : StyledText()),
            .dim("\(selected + 1) of \(Format.count(all))"),
        ]
        return section
    }

    private var sessionTime: Duration { now - state.configuration.start.time }

    private func answer(_ claim: TaskRecords.Claim) -> StyledText {
        switch claim.answer {
        case .started: StyledText("▸ started", .run)
        case .queued: .plain("▸ queued")
        case .joined: StyledText("⊕ joined", .merge)
        case .cached: StyledText("◆ cached", .accent)
        case .rejected: StyledText("✗ rejected", .bad)
        case nil: .dim("–")
        }
    }

    private func outcome(_ claim: TaskRecords.Claim) -> StyledText {
        switch claim.outcome {
        case .success: claim.file == nil ? .bold("✓ served", .ok) : .bold("✓ saved", .ok)
        case .failed: .bold("✗ failed", .bad)
        case .cancelled: .dim("⊘ cancelled")
        case nil: state.news.cancelling.contains(claim.receipt) ? .dim("⊘ being cancelled") : .dim("waits for it")
        }
    }

    // MARK: What the server said

    private static let notable: Set<String> = [
        "content-type", "content-length", "content-encoding", "etag", "last-modified", "cache-control", "expires",
        "age", "date", "vary", "accept-ranges", "content-range", "content-disposition", "location", "retry-after",
        "server", "set-cookie", "transfer-encoding",
    ]

    /// Why to show all headers, and not the notable ones only, makes no difference; `nil` if it does.
    var whyNoMoreHeaders: String? {
        if isEarlier { return "of what earlier sessions saved no headers are kept" }
        guard let head else {
            return end == nil ? "the server has not answered yet" : "there was no answer, so there are no headers"
        }
        if head.fields.isEmpty { return "its headers are not known" }
        let isAll = head.fields.allSatisfy { Self.notable.contains($0.name.lowercased()) }
        return isAll ? "all its headers are shown" : nil
    }

    func response(width: Int) -> Section {
        var section = Section(title: "response")
        section.lines = redirects(width: width)
        guard let head else {
            section.facts = [.dim(end == nil ? "none yet" : "none")]
            section.lines.append(
                .text(.dim(end == nil ? "The server has not answered yet." : "There was no answer."))
            )
            return section
        }
        let role: Role = (200..<300).contains(head.status) ? .ok : head.status == 304 ? .accent : .bad
        let (status, version) = (StyledText.bold("\(head.status)", role), " · h\(visible(head.httpVersion))")
        section.facts =
            head.remoteAddress.isEmpty
            // Of a copy of an earlier save nobody knows more.
            ? [status] : [status + .dim("\(version) · \(visible(head.remoteAddress))"), status + .dim(version), status]
        let shown = head.fields.filter {
            state.detail.showsAllHeaders || Self.notable.contains($0.name.lowercased())
        }
        section.lines += fields(shown, width: width)
        if head.fields.isEmpty { section.lines.append(.text(.dim("Its headers are not known."))) }
        let hidden = head.fields.count - shown.count
        if hidden > 0 {
            section.lines.append(.text(.dim("\(hidden) more") + state.hint(": ", .allHeaders, "shows all")))
        }
        if head.reused { section.lines.append(.text(.dim("on a connection that was open already"))) }
        section.lines = fitted(section.lines + refusedBody(width: width), width: width)
        return section
    }

    /// Names and values beside each other; a value that has no room there stands below its name, over the whole width.
    private func fields(_ fields: [HeaderField], width: Int) -> [Line] {
        let names = fields.map { visible($0.name, oneOf: fields.count).lowercased() }
        // A long name stands above its value anyway, and must not push those of the others to the edge.
        let widths = names.map { TextWidth.columns(of: $0) }.filter { !isWhole || $0 < 18 }
        let column = min(20, max(10, (widths.max() ?? 0) + 2))
        return zip(fields, names).flatMap { field, name -> [Line] in
            let shown = field.shownValue
            let value = visible(shown, oneOf: fields.count)
            let isChanged = value.unicodeScalars.count != shown.unicodeScalars.count
            func text(_ piece: String) -> StyledText { isChanged ? StyledText(piece, .wait) : .plain(piece) }
            let (left, right) = (TextWidth.columns(of: name), TextWidth.columns(of: value))
            if isWhole, left >= column || right > width - column {
                return TextWrap.lines(name, columns: width).map { .text(.dim($0)) }
                    + TextWrap.lines(value, columns: max(4, width - 2)).map { .text(.plain("  ") + text($0)) }
            }
            let label = Elision.end(name, column - 1)
            let padding = String(repeating: " ", count: max(1, column - TextWidth.columns(of: label)))
            return [.text(.dim(label + padding) + text(Elision.end(value, max(4, width - column))))]
        }
    }

    /// Each hop with where it led; of many the first, and how many more there were.
    private func redirects(width: Int) -> [Line] {
        let hops = head?.hops ?? end?.hops ?? []
        let cells = max(4, width - 6)
        var lines = hops.flatMap { hop in
            let url = visible(hop.url)
            let pieces = isWhole ? TextWrap.lines(url, columns: cells) : [Elision.middle(url, cells)]
            return pieces.enumerated().map { index, piece -> Line in
                let status = StyledText.plain("\(hop.status)") + .dim(" → ")
                return .text((index == 0 ? status : .plain("      ")) + .plain(piece))
            }
        }
        if let head, !hops.isEmpty, head.redirects > hops.count {
            lines.append(.text(.dim("\(Format.plural(head.redirects - hops.count, "more redirect"))")))
        } else if head == nil, hops.count == RedirectHop.limit {
            lines.append(.text(.dim("and on; more are not kept")))
        }
        return lines
    }

    // MARK: What it means for the caches

    func caches(width: Int) -> Section {
        var section = Section(title: "image and cache")
        let memory = state.snapshot.memory
        if let image = end?.image {
            let frames = image.frames > 1 ? " · \(image.frames) frames" : ""
            section.lines.append(
                .fact("format", .plain("\(image.format.rawValue) \(image.width)×\(image.height)") + .dim(frames))
            )
            section.lines.append(memoryFact(of: image))
        } else if let type = head?.mediaType {
            section.lines.append(.fact("type", .plain(visible(type))))
        }
        section.lines.append(.fact("policy", .plain(facts?.policy.rawValue ?? state.snapshot.settings.policy.rawValue)))
        if let key, key != url {
            section.lines += whole("merge key", visible(key), room: width - Self.labelWidth(width))
        } else if key != nil || end == nil {
            // Of one that lives, the next snapshot tells what else there is.
            section.lines.append(.fact("merge key", .plain("the URL") + .dim(" · no own headers")))
        }
        if let end, isAnswered(end) {
            let source: StyledText =
                switch end.source {
                case .network: .plain("network")
                case .revalidated: .plain("stored, not modified")
                case .disk: .plain("disk") + .dim(" · no request made")
                case .memory: .plain("memory")
                }
            section.lines.append(.fact("answered by", source))
        }
        section.lines += httpVerdict(width: width)
        let level = Format.usage(memory.usage, of: memory.capacity)
        section.lines.append(.fact("memory now", .figure(level.number) + .dim(level.rest)))
        section.lines = fitted(section.lines, width: width)
        return section
    }

    /// Whether anybody answered: not where the server could not be reached, or nobody asked it before the end.
    private func isAnswered(_ end: TaskEnd) -> Bool {
        end.outcome == .success || head != nil || (end.status ?? end.error?.status) != nil
    }
}
