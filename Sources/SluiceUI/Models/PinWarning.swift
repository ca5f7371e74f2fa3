internal import SluiceCore

/// Why a pin alone does not make a host trusted, and what does.
///
/// Says only what was tried against the chain that is looked at. Its texts are safe to draw.
struct PinWarning: Equatable, Sendable {
    /// Why the host is refused still.
    let reason: String
    /// What makes it trusted; `nil` where nothing that was tried does.
    let help: String?

    private static let short = "A pin alone would not help."

    /// Where a key can be pinned, and where that is asked.
    var sentence: String { "A pin alone would not help, and it is refused still: \(reason)." }

    /// As much as there is room for, down to the fact itself.
    ///
    /// - Parameters:
    ///   - columns: Of a line. `1...`
    ///   - rows: For lines. `1...`
    /// - Returns: Whole sentences, unless there is no room for the shortest.
    func lines(columns: Int, rows: Int) -> [String] {
        let texts = help.map { ["\(sentence) What helps: \($0).", sentence] } ?? [sentence]
        let choices = texts.map { TextWrap.lines($0, columns: columns) }
        return choices.first { $0.count <= rows } ?? TextWrap.lines(Self.short, columns: columns, limit: rows)
    }
}

extension TrustState {
    /// What to say before keys of the host are pinned.
    ///
    /// - Returns: `nil` where they are enough, and where nobody knows.
    func warning(pinning pins: [String]) -> PinWarning? {
        guard let report else { return nil }
        let policy = report.inForce?.policy ?? .standard
        let certificates = report.chain.certificates
        let pinned = certificates.indices.filter { pins.contains(certificates[$0].pin) }
        // Keys that were typed may be none of the chain's: what is refused with one of those is refused with them too.
        let verdicts = (pinned.isEmpty ? [place] : pinned).compactMap { index in
            report.trials[
                TrustTrial(
                    .publicKey,
                    allowInvalid: policy.allowInvalid,
                    validatesDomain: policy.validatesDomain,
                    place: index
                )
            ]
        }
        guard let verdict = verdicts.first, !verdicts.contains(where: \.isAccepted) else { return nil }
        return PinWarning(reason: VisibleText.visible(verdict.reason, limit: 300), help: help)
    }

    /// What makes a host trusted whose chain no authority vouches for.
    ///
    /// `nil` where something else is amiss too, so that nobody follows it in vain, and where nothing is.
    var help: String? {
        guard let report, let (policy, verdict) = report.inForce, !verdict.isAccepted, !policy.allowInvalid,
            report.chain.problem != nil
        else { return nil }
        let trial = TrustTrial(
            .publicKey,
            allowInvalid: true,
            validatesDomain: policy.validatesDomain,
            place: place
        )
        guard report.trials[trial]?.isAccepted == true else { return nil }
        // Else the key of somebody in between is pinned, whose chain is not looked at any more.
        let lenient =
            "if you know by another way that the key is its own, allowInvalid = true beside the pin in the configuration"
        // No authority makes a certificate last longer.
        let isOutOfDate = report.chain.certificates.contains { certificate in
            certificate.notAfter < report.time || certificate.notBefore > report.time
        }
        // Nor does it mend what is wrong with one in another way.
        return isOutOfDate || !report.chain.lacksAuthority ? lenient : "--cacert FILE with its authority, or \(lenient)"
    }
}
