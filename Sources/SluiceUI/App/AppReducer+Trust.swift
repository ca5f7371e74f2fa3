internal import SluiceCore

/// The certificates of a host: looking at them, trying policies against them, pinning a key.
extension AppReducer {
    /// Looks at the host of the selected task, or at that which was refused behind its redirects.
    static func openTrust(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let text = state.trustURL else {
            return say("no task whose host could be looked at", .dim, &state, now)
        }
        guard let url = try? RequestURL(text), url.isNetwork else {
            return say("this is read from here: there is no host to look at", .dim, &state, now)
        }
        guard url.url.hasPrefix("https:") else {
            let host = url.host
            return say("\(host) is asked over http, without certificates: :trust HOST looks anyway", .dim, &state, now)
        }
        look(at: url, &state, &change)
    }

    /// Looks at a host that was typed.
    static func openTrust(host: String, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let url = RequestURL(secureHost: host) else {
            return say("no host: \(host); write site.example or site.example:8443", .bad, &state, now)
        }
        look(at: url, &state, &change)
    }

    static func look(at url: RequestURL, _ state: inout AppState, _ change: inout Change) {
        state.lastLook += 1
        state.trust = TrustState(ask: state.lastLook, url: url)
        state.mode = .trust
        change.effects.append(.lookAtTrust(ask: state.lastLook, url))
    }

    static func inspectTrust(
        _ action: KeyAction,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        let rows = max(1, TrustView.rows(state))
        switch action {
        case .close:
            state.trust = nil
            state.mode = .lists
        case .down: chooseCertificate(1, &state)
        case .up: chooseCertificate(-1, &state)
        case .pageDown: state.trust?.offset += rows
        case .pageUp: state.trust?.offset -= rows
        case .first: state.trust?.offset = 0
        case .last: state.trust?.offset = .max / 2
        case .tryPinning, .tryInvalid, .tryDomain:
            guard state.trust?.report != nil else {
                return say("there is no certificate yet to try it on", .dim, &state, now)
            }
            tryPolicy(action, &state)
            if let offset = TrustView.offsetOfAnswer(state) { state.trust?.offset = offset }
        case .lookAgain: if let url = state.trust?.url { look(at: url, &state, &change) }
        case .pinKey: pin(&state, &change, now)
        case .editPins:
            guard let trust = state.trust, !trust.pins.isEmpty else {
                return say("there is no key yet that could be pinned", .dim, &state, now)
            }
            openPrompt(with: ":pin \(trust.host) \(trust.pins.joined(separator: " "))", &state)
            return
        case .help, .redraw, .stop: return perform(action, &state, &change, now)
        default: break
        }
        let offset = min(max(0, state.trust?.offset ?? 0), TrustView.lastOffset(state))
        state.trust?.offset = offset
    }

    /// Changes what the certificates are judged by on the screen alone.
    private static func tryPolicy(_ action: KeyAction, _ state: inout AppState) {
        switch action {
        case .tryInvalid: state.trust?.allowInvalid.toggle()
        case .tryDomain: state.trust?.validatesDomain.toggle()
        default:
            let all = TrustPolicy.Pinning.allCases
            guard let index = state.trust.flatMap({ all.firstIndex(of: $0.pinning) }) else { return }
            state.trust?.pinning = all[(index + 1) % all.count]
        }
    }

    /// Asks what pinning these keys would write; they are well formed.
    static func draftPin(
        host: String,
        pins: [String],
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard let url = RequestURL(secureHost: host) else {
            return say("no host: \(host); write site.example or site.example:8443", .bad, &state, now)
        }
        // Whatever opened the prompt: the question comes where nothing is typed.
        state.mode = state.trust == nil ? .lists : .trust
        change.effects.append(.draftPin(host: host, url, pins: pins))
    }

    static func take(look ask: Int, _ result: Result<TrustReport, DownloadError>, _ state: inout AppState) {
        guard state.trust?.ask == ask else { return }
        switch result {
        case .success(let report):
            state.trust?.news = .found(report)
            // What most people want to know first: whether what is in force would do.
            if let inForce = report.inForce?.policy {
                if inForce.pinning != .none { state.trust?.pinning = inForce.pinning }
                state.trust?.allowInvalid = inForce.allowInvalid
                state.trust?.validatesDomain = inForce.validatesDomain
            }
        case .failure(let error): state.trust?.news = .failed(error.message)
        }
    }

    static func take(pinDraft draft: PinDraft, _ state: inout AppState, _ now: Timestamp) {
        guard state.mode == .lists || state.mode == .trust else {
            return say("nothing pinned: something else was asked meanwhile", .wait, &state, now)
        }
        var draft = draft
        if let trust = state.trust, trust.host == draft.host { draft.warning = trust.warning(pinning: draft.pins) }
        state.mode = .question(.pin(draft))
    }

    static func take(pinned draft: PinDraft, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if let warning = draft.warning {
            say("pinned; still refused: \(warning.reason)", .wait, &state, now)
        } else {
            let place = draft.file.map { "in \($0)" } ?? "for this session"
            say("pinned \(draft.host) \(place); it holds for every request from now on", .ok, &state, now)
        }
        guard state.mode == .trust, let trust = state.trust, trust.host == draft.host else { return }
        look(at: trust.url, &state, &change)
    }

    /// Keeps what was decided about hosts, for the details of their tasks.
    static func take(decision: TrustDecision, _ state: inout AppState) {
        if state.news.decisions[decision.host] == nil, state.news.decisions.count >= AppState.decisionLimit {
            state.news.decisions.removeAll()
        }
        state.news.decisions[decision.host] = decision
    }

    private static func pin(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let trust = state.trust, !trust.pins.isEmpty else {
            return say("there is no key yet that could be pinned", .dim, &state, now)
        }
        if let sentence = trust.sentenceOfPins { return say(sentence, .dim, &state, now) }
        change.effects.append(.draftPin(host: trust.host, trust.url, pins: trust.pins))
    }

    private static func chooseCertificate(_ step: Int, _ state: inout AppState) {
        guard let count = state.trust?.report?.chain.certificates.count, count > 0 else { return }
        let place = min(max(0, (state.trust?.place ?? 0) + step), count - 1)
        state.trust?.place = place
        let offset = TrustView.offset(showing: state)
        state.trust?.offset = offset
    }
}

extension TrustState {
    /// That the selected key and its backup are pinned already; `nil` if one is not.
    ///
    /// Whoever wants them in the file too, where the command line names them, edits them first.
    fileprivate var sentenceOfPins: String? {
        guard let (policy, verdict) = report?.inForce, policy.pinning == .publicKey, !pins.isEmpty,
            pins.allSatisfy({ pin in (try? TrustPin.hash(pin)).map { policy.pins.contains($0) } == true })
        else { return nil }
        let sentence = "\(host) is pinned to \(pins.count == 1 ? "this key" : "these keys") already"
        return verdict.isAccepted ? sentence : sentence + ", and is refused still"
    }
}

extension AppState {
    /// Hosts whose verdicts are kept.
    static let decisionLimit = 1_000

    /// The URL of the task that the focused list selects, or that the detail shows.
    var subjectURL: String? {
        if focus == .finished { return selectedEnded?.end.url }
        if focus == .failed { return selectedFailed?.url }
        return selectedRow?.url ?? inspectedTask.flatMap { news.records[$0]?.url } ?? inspectedURL
    }

    /// The URL whose host shows certificates: the one that was refused, where redirects led there, else that of the task.
    var trustURL: String? {
        // Of more hops than are kept, nobody knows the last one.
        guard let end = subjectEnd, end.error?.code == .tlsUntrusted, let hop = end.hops.last,
            end.hops.count < RedirectHop.limit
        else { return subjectURL }
        return hop.url
    }

    /// How the task of ``subjectURL`` ended; `nil` while it lives, and of what an earlier session left.
    private var subjectEnd: TaskEnd? {
        switch focus {
        case .finished: selectedEnded?.end
        case .failed: selectedFailed?.id.task.flatMap { news.records[$0]?.end }
        default: selectedRow == nil ? inspectedTask.flatMap { news.records[$0]?.end } : nil
        }
    }
}
