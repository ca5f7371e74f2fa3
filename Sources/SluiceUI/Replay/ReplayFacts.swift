internal import SluiceCore

/// What the screen says of the recording that it shows.
struct ReplayFacts: Equatable, Sendable {
    /// Of the file; not sanitised.
    var name: String
    /// Since the start of the session.
    var position: Duration
    var length: Duration
    var speed: Double
    var isPaused = false
    /// Whether a long silence passes faster than the speed says.
    var isSkipping = false
    /// Events that were applied.
    var index = 0
    var count: Int
    /// The last line of the file, if it was cut off and left out.
    var cutOffLine: Int?
    /// Whether nothing follows.
    var isOver = false
    /// What keys asked for and the player has not heard of yet.
    var commands: [ReplayPlayer.Command] = []

    /// `▸ 0:42 / 1:30  4×`; what the recording does, where, and how fast.
    var text: StyledText {
        state + .figure(Format.time(position)) + .dim(" / \(Format.time(length))  ") + .plain(speedText)
    }

    /// `▸ 0:42`.
    var short: StyledText { state + .figure(Format.time(position)) }

    /// What is to be said of where it stands, longest first: that it is over, and that the file goes no further.
    var notes: [String] {
        let ends = isOver ? [" · the recording ends here", " · its end"] : ["", ""]
        let cuts = cutOffLine.map { [" · line \($0) is cut off: shown is all before it", " · line \($0) is cut off"] }
        guard let cuts else { return ends }
        return [ends[0] + cuts[0], ends[0] + cuts[1], ends[1] + cuts[1]]
    }

    /// `¼×`, `1×`, `64×`.
    private var speedText: String {
        let hundredths = Int((min(speed, 1_000_000) * 100).rounded())
        let fraction = hundredths % 100 == 0 ? "" : ".\(Format.two(hundredths % 100))"
        return "\(hundredths / 100)\(fraction.hasSuffix("0") ? String(fraction.dropLast()) : fraction)×"
    }

    private var state: StyledText {
        if isPaused { return .bold("‖ ", .wait) }
        return isSkipping ? .bold("» ", .accent) : .bold("▸ ", .ok)
    }
}

extension AppState {
    /// The time of the session that is shown: the present, or where a recording stands.
    func sessionTime(at now: Timestamp) -> Timestamp { replay.map { configuration.startTime + $0.position } ?? now }

    /// Takes everything that news of the pipeline made, and keeps what the user looks at.
    mutating func takeNews(of other: AppState) {
        // Where a recording goes back, other rows come to stand behind the same numbers.
        if other.ended.lastSeq < ended.lastSeq { endedIndex.invalidate() }
        if other.log.newestSeq < log.newestSeq { eventIndex.invalidate() }
        (log, receipts, ledger, failed) = (other.log, other.receipts, other.ledger, other.failed)
        joined = other.joined
        (finished, newest, journal, ended) = (other.finished, other.newest, other.journal, other.ended)
        (hosts, transitions, cancelling) = (other.hosts, other.transitions, other.cancelling)
        bodies = other.bodies
        (verdicts, decisions) = (other.verdicts, other.decisions)
        (usage, throughput) = (other.usage, other.throughput)
        (flashUntil, isDiskFull, hasLostState) = (other.flashUntil, other.isDiskFull, other.hasLostState)
        pictures.takeEntries(of: other.pictures)
        purges.settle(ledger.entries.map(\.id))
        refreshLists()
        AppReducer.followRanges(&self)
    }
}

extension AppState {
    /// Why an action does nothing to the recording that is shown, and to whoever would type, which keys do something.
    func refusal(of action: KeyAction) -> String? {
        guard replay != nil, let refusal = action.refusalInReplay else { return nil }
        guard [.typeURL, .typeList, .typeCommand].contains(action) else { return refusal }
        let keys = configuration.keys
        func phrase(_ actions: [KeyAction], _ words: String, in scope: KeyMap.Scope) -> String? {
            let labels = actions.compactMap { keys.label(of: $0, in: scope).map(shown) }
            return labels.isEmpty ? nil : labels.joined(separator: " ") + " " + words
        }
        let phrases = [
            phrase([.replay(.toggle)], "plays", in: .replay),
            phrase([.replay(.back), .replay(.forward)], "seek", in: .replay),
            phrase([.help], "shows the keys", in: .lists),
        ]
        .compactMap(\.self)
        return phrases.isEmpty ? refusal : "a recording can't be changed: \(phrases.joined(separator: ", "))"
    }
}

extension KeyAction {
    /// Why it does nothing to a recording; `nil` where it does what it always does.
    var refusalInReplay: String? {
        switch self {
        case .abort, .cancelReceipt, .pause, .pauseAll, .cancelAll, .retry, .retryAll, .promote, .toEnd, .earlier,
            .later, .limitRate, .moreSlots, .fewerSlots, .order, .suspend, .dropImage, .clearCache, .pressure, .typeURL,
            .typeList, .typeCommand, .editURL, .limitTask, .removeRow, .deleteFile:
            "a recording can't be changed: this happened already"
        case .trust, .pinKey, .editPins, .tryPinning, .tryInvalid, .tryDomain, .lookAgain:
            "a recording asks no host: 'sluice trust' shows its certificates"
        case .openFile: "a recording opens no file: the path can be copied"
        case .openPicture, .openTile, .openGallery, .zoomPicture, .previousPicture, .nextPicture, .left, .right:
            "a recording holds no pictures"
        case .quit, .help, .redraw, .stop, .focus, .nextPanel, .previousPanel, .restore, .openDetail, .previousTask,
            .nextTask, .allHeaders, .nextPreset, .toggleMouse, .down, .up, .first, .prefixG, .last, .pageDown, .pageUp,
            .halfDown, .halfUp, .select, .selectRange, .selectAll, .filter, .findNext, .findPrevious, .sort, .reverse,
            .copyPath, .copyURL, .replay, .submit, .leavePrompt, .clearOrQuit, .older, .newer, .complete,
            .searchHistory, .edit, .yes, .no, .close:
            nil
        }
    }
}
