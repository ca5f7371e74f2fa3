internal import SluiceCore

/// What keys can't do to a recording.
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
