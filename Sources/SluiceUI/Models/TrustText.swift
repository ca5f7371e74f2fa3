internal import SluiceCore

/// Everything that the view of a host's certificates says, in sections of rows; pure text, made when it is drawn.
///
/// What the server says of itself is made visible here, each piece before it is measured.
struct TrustText {
    struct Section {
        var number = ""
        var title: String
        var facts: [StyledText] = []
        var feet: [StyledText] = []
        var rows: [Row] = []
    }

    struct Row {
        var text = StyledText()
        /// At the right edge, if there is room.
        var end = StyledText()
        /// A heading with a line behind it.
        var isRule = false
        /// Of the certificate that is selected.
        var isSelected = false
        /// Columns that are marked, from the start of the row.
        var mark: Range<Int>?
    }

    let trust: TrustState
    let spinner: String

    private var report: TrustReport? { trust.report }
    private var host: String { visible(trust.host) }

    // MARK: The verdict

    func verdict(width: Int) -> Section {
        var section = Section(title: "verdict")
        switch trust.news {
        case .looking:
            section.facts = [.dim("\(spinner) looking")]
            section.rows = [Row(text: .dim("The host is asked for its certificates, and for nothing else."))]
        case .failed(let message):
            section.facts = [.bold("✗ no look", .bad)]
            section.rows = wrapped(visible(message), width) { StyledText($0, .bad) }
            section.rows.append(Row(text: .bold("r", .accent) + .dim(" looks again")))
        case .found(let report): fill(&section, report, width)
        }
        return section
    }

    private func fill(_ section: inout Section, _ report: TrustReport, _ width: Int) {
        guard let (policy, verdict) = report.inForce else { return }
        section.facts = [badge(verdict)]
        let mark: StyledText = verdict.isAccepted ? .bold("✓ ", .ok) : .bold("✗ ", .bad)
        let rule = "\(verdict.rule.rawValue): \(verdict.phrase(acceptsAny: policy.allowInvalid))"
        let sentence =
            verdict.isAccepted ? "accepted by rule \(rule)" : "refused: \(visible(verdict.reason))"
        for (index, line) in TextWrap.lines(sentence, columns: width - 2, limit: 3).enumerated() {
            section.rows.append(Row(text: (index == 0 ? mark : .plain("  ")) + .bright(line)))
        }
        if !verdict.isAccepted { section.rows += fact("rule", rule, width) }
        if let help = trust.help { section.rows += fact("helps", "\(help); a pin alone does not", width, limit: 6) }
        section.rows += fact("in force", Self.sentence(policy), width, policy.isLenient ? .bad : .fg)
        let isNamed = report.chain.certificates.first.map { names(of: $0, match: report.host) } ?? false
        section.rows += fact(
            "name",
            isNamed ? "\(visible(report.host)) is among its names" : "\(visible(report.host)) is none of its names",
            width,
            isNamed ? .fg : .wait
        )
        // What the verdict says already need not be said twice.
        if verdict.isAccepted || report.chain.problem != verdict.reason {
            section.rows += fact(
                "chain",
                report.chain.problem.map(visible) ?? "valid",
                width,
                report.chain.problem == nil ? .fg : .wait
            )
        }
        for certificate in report.chain.certificates {
            guard let warning = certificate.warning(at: report.time) else { continue }
            section.rows += fact("!", "\(visible(certificate.subject)): \(warning)", width, .wait)
        }
    }

    /// The trials know: with the name checked and all else excused by the pinned leaf, only the name can be refused.
    private func names(of certificate: TrustChain.Certificate, match host: String) -> Bool {
        let trial = TrustTrial(.publicKey, allowInvalid: true, validatesDomain: true, place: 0)
        if let verdict = report?.trials[trial] { return verdict.isAccepted }
        return certificate.names.contains(host)
    }

    /// A policy in words.
    static func sentence(_ policy: TrustPolicy) -> String {
        let count = policy.pins.count
        var parts: [String] =
            switch policy.pinning {
            case .none: [policy.allowInvalid ? "any certificate" : "nothing pinned"]
            case .publicKey: [Format.plural(count, "pinned key")]
            case .certificate: [Format.plural(count, "pinned certificate")]
            }
        if policy.pinning != .none, policy.allowInvalid { parts.append("of any chain") }
        if !policy.validatesDomain { parts.append("for any name") }
        if !policy.allowInvalid {
            parts.append(
                policy.authorities.map { "authorities of \(VisibleText.visible($0.path, limit: 200))" }
                    ?? "the system's authorities"
            )
        }
        return parts.joined(separator: ", ")
    }

    private func badge(_ verdict: TrustVerdict) -> StyledText {
        verdict.isAccepted
            ? .bold("✓ accepted", .ok) + .dim(" by rule \(verdict.rule.rawValue)")
            : .bold("✗ refused", .bad) + .dim(" by rule \(verdict.rule.rawValue)")
    }

    // MARK: The chain

    /// - Parameters:
    ///   - width: In columns.
    ///   - unfolds: Whether every certificate is told in full, or the selected one only.
    /// - Returns: Without rows as long as nothing was seen.
    func chain(width: Int, unfolds: Bool) -> Section {
        var section = Section(number: "T", title: "trust")
        section.facts = [.bright(host), .bright(Elision.middle(host, max(8, width - 20)))]
        guard let report else { return section }
        for (place, certificate) in report.chain.certificates.enumerated() {
            let isSelected = place == trust.place
            section.rows += rows(of: certificate, place, report, width, isUnfolded: unfolds || isSelected)
        }
        if report.chain.certificates.isEmpty {
            section.rows = [Row(text: StyledText("It showed no certificate.", .wait))]
        }
        let count = report.chain.certificates.count
        section.feet = [
            .bold("j k", .accent) + .dim(" choose · \(trust.place + 1) of \(count)"),
            .dim("\(trust.place + 1) of \(count)"),
        ]
        return section
    }

    private func rows(
        of certificate: TrustChain.Certificate,
        _ place: Int,
        _ report: TrustReport,
        _ width: Int,
        isUnfolded: Bool
    ) -> [Row] {
        let isSelected = place == trust.place
        let warning = certificate.warning(at: report.time)
        let tree = place == 0 ? "" : String(repeating: "  ", count: min(place - 1, 4)) + "└ "
        // The verdict is on what the server shows as its own: dates that hold make nothing good that it refuses.
        let isRefused = place == 0 && report.inForce?.verdict.isAccepted == false
        let mark: StyledText = warning == nil && !isRefused ? .bold("✓ ", .ok) : .bold("! ", .wait)
        let end: StyledText =
            warning.map { StyledText($0, .wait) } ?? .dim("to ") + .plain(TrustReport.day(certificate.notAfter))
        let room = max(8, width - tree.count - 2 - end.width - 2)
        let subject = Elision.end(visible(certificate.subject), room)
        var rows = [Row(text: .dim(tree) + mark + .figure(subject), end: end, isSelected: isSelected)]
        let indent = String(repeating: " ", count: place == 0 ? 2 : min(place - 1, 4) * 2 + 4)
        func add(_ label: String, _ text: StyledText) {
            let name = label + String(repeating: " ", count: max(0, 8 - label.count))
            rows.append(Row(text: .dim(indent + name) + text, isSelected: isSelected))
        }
        let column = width - indent.count - 8
        if isUnfolded {
            if !certificate.names.isEmpty {
                let names = certificate.names.prefix(12).map(visible).joined(separator: ", ")
                let more = certificate.names.count > 12 ? " and \(certificate.names.count - 12) more" : ""
                for (index, line) in TextWrap.lines(names + more, columns: column, limit: 3).enumerated() {
                    add(index == 0 ? "names" : "", .plain(line))
                }
            }
            let isOwn = certificate.issuer == certificate.subject
            let issuer: StyledText = isOwn ? .dim("itself") : .plain(Elision.end(visible(certificate.issuer), column))
            add("issuer", issuer)
            let left = (certificate.notAfter - report.time) / 86_400
            let days = left >= 0 ? ", \(Format.count(left)) days left" : ""
            add(
                "valid",
                .plain("\(TrustReport.day(certificate.notBefore)) to \(TrustReport.day(certificate.notAfter))")
                    + .dim(days)
            )
            add("key", .plain(visible(certificate.key)))
        }
        // The hash is what one compares by eye: never cut where there is any room for it.
        let isWide = indent.count + certificate.pin.count <= width
        let hash = isWide ? certificate.pin : Elision.middle(certificate.pin, max(12, width - indent.count))
        rows.append(Row(text: .dim(indent) + StyledText(hash, isSelected ? .accent : .dim), isSelected: isSelected))
        return rows
    }

    // MARK: Policies that are tried

    func policies(width: Int) -> Section {
        var section = Section(title: "policies, tried")
        guard let report, !report.trials.isEmpty else { return section }
        let subject =
            report.chain.certificates.indices.contains(trust.place)
            ? visible(report.chain.certificates[trust.place].subject) : ""
        section.facts = [
            .dim("with ") + .bright(Elision.end(subject, max(8, width - 34))) + .dim(" pinned"),
            .dim("with this one pinned"),
        ]
        let isWide = width >= 52
        let (label, cell) = isWide ? (12, 10) : (12, max(5, (width - 12) / 4))
        let words = isWide ? ["strict", "any name", "anything", "any chain"] : ["all", "chain", "any", "name"]
        var heading = StyledText.dim("pinning" + String(repeating: " ", count: max(0, label - 7)))
        for word in words { heading += .dim(padded(word, cell)) }
        section.rows.append(Row(text: heading))
        for pinning in TrustPolicy.Pinning.allCases {
            section.rows.append(row(of: pinning, report, label: label, cell: cell))
        }
        section.rows.append(Row())
        section.rows += toggles(width)
        if let verdict = report.trials[trust.trial] {
            let mark: StyledText = verdict.isAccepted ? .bold("✓ ", .ok) : .bold("✗ ", .bad)
            let phrase = verdict.phrase(acceptsAny: trust.trial.allowInvalid)
            let reason = verdict.reason.isEmpty ? phrase : visible(verdict.reason)
            let text = "\(verdict.isAccepted ? "accepts" : "refuses") by \(verdict.rule.rawValue): \(reason)"
            for (index, line) in TextWrap.lines(text, columns: width - 2, limit: 3).enumerated() {
                section.rows.append(Row(text: (index == 0 ? mark : .plain("  ")) + .plain(line)))
            }
        }
        return section
    }

    private func row(of pinning: TrustPolicy.Pinning, _ report: TrustReport, label: Int, cell: Int) -> Row {
        let isChosen = pinning == trust.pinning
        let name = padded(pinning.rawValue, label)
        var row = Row(text: isChosen ? .bright(name) : .plain(name))
        for (index, flags) in TrustTrial.flags.enumerated() {
            let trial = TrustTrial(
                pinning,
                allowInvalid: flags.allowInvalid,
                validatesDomain: flags.validatesDomain,
                place: trust.place
            )
            if trial == trust.trial { row.mark = (label + index * cell - 1)..<(label + index * cell + 4) }
            guard let verdict = report.trials[trial] else {
                row.text += .dim(padded("–", cell))
                continue
            }
            let mark: StyledText = verdict.isAccepted ? .bold("✓", .ok) : .bold("✗", .bad)
            row.text += mark + .dim(padded(" \(verdict.rule.rawValue)", cell - 1))
        }
        return row
    }

    private func toggles(_ width: Int) -> [Row] {
        func toggle(_ key: String, _ name: String, _ value: String) -> StyledText {
            .bold(key, .accent) + .dim(" \(name) ") + .bright(value)
        }
        let all = [
            toggle("n", "pinning", trust.pinning.rawValue),
            toggle("i", "allowInvalid", trust.allowInvalid ? "on" : "off"),
            toggle("d", "validatesDomain", trust.validatesDomain ? "on" : "off"),
        ]
        var rows: [Row] = []
        for text in all {
            if let last = rows.last, last.text.width + 3 + text.width <= width {
                rows[rows.count - 1].text += .dim("   ") + text
            } else {
                rows.append(Row(text: text))
            }
        }
        return rows
    }

    /// What the numbers of the rules stand for, in as few rows as they need; none before there are verdicts.
    func legend(width: Int) -> [Row] {
        guard report?.trials.isEmpty == false else { return [] }
        var rows: [Row] = []
        for rule in TrustRule.allCases {
            let words = StyledText.plain("\(rule.rawValue)") + .dim(" \(Self.subject(of: rule))")
            if let last = rows.last, last.text.width + 2 + words.width <= width {
                rows[rows.count - 1].text += .dim("  ") + words
            } else {
                rows.append(Row(text: words))
            }
        }
        return rows
    }

    /// What a rule is about, in as few words as tell it from the others.
    private static func subject(of rule: TrustRule) -> String {
        switch rule {
        case .unanchoredDomain: "no anchor for the name"
        case .domain: "name"
        case .noPinning: "chain, unpinned"
        case .invalidChain: "chain, pinned"
        case .certificate: "pinned certificate"
        case .publicKey: "pinned key"
        }
    }

    // MARK: What would be pinned

    func pinning(width: Int) -> Section {
        var section = Section(title: "pin")
        guard let report, !trust.pins.isEmpty else { return section }
        section.facts = [.dim("nothing is written before you say so")]
        let certificates = report.chain.certificates.dropFirst(trust.place).prefix(2)
        for (index, certificate) in certificates.enumerated() {
            let subject = Elision.end(visible(certificate.subject), max(8, width - 10))
            section.rows.append(Row(text: .dim(index == 0 ? "the key   " : "a backup  ") + .bright(subject)))
            section.rows.append(Row(text: StyledText(Elision.middle(certificate.pin, width), .accent)))
        }
        if certificates.count == 1 {
            section.rows += wrapped("a backup: none is above it; e lets you name one", width) { StyledText($0, .wait) }
        }
        if let warning = trust.warning(pinning: trust.pins) {
            // First, since the box is the last of its column and may lose its end.
            section.rows = wrapped(warning.sentence, width) { StyledText($0, .wait) } + [Row()] + section.rows
        } else {
            let isLenient = report.inForce?.policy.allowInvalid == true
            let text = "From then on it must show one of these keys\(isLenient ? ", whoever signed it" : " too")."
            section.rows += [Row()] + wrapped(text, width) { .dim($0) }
        }
        section.feet = [
            .bold("p", .accent) + .dim(" pins  ") + .bold("e", .accent) + .dim(" edits first"),
            .bold("p", .accent) + .dim(" pins"),
        ]
        return section
    }

    // MARK: Pieces

    private func fact(_ label: String, _ text: String, _ width: Int, _ role: Role = .fg, limit: Int = 3) -> [Row] {
        let indent = 10
        return TextWrap.lines(text, columns: max(8, width - indent), limit: limit).enumerated().map { index, line in
            let name = padded(index == 0 ? label : "", indent)
            return Row(text: (label == "!" ? .bold(name, .wait) : .dim(name)) + StyledText(line, role))
        }
    }

    private func wrapped(_ text: String, _ width: Int, _ ink: (String) -> StyledText) -> [Row] {
        TextWrap.lines(text, columns: max(8, width), limit: 6).map { Row(text: ink($0)) }
    }

    private func padded(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - TextWidth.columns(of: text)))
    }

    private func visible(_ text: String) -> String { VisibleText.visible(text, limit: 300) }
}
