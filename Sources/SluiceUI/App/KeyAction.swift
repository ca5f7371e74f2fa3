internal import SluiceCore

/// What a key asks for, whatever key it is.
enum KeyAction: Hashable, Sendable {
    // Everywhere.
    case quit
    case help
    case redraw
    case stop
    case typeURL
    case typeList
    /// Opens the prompt for a `:` command.
    case typeCommand
    case focus(Panel)
    case nextPanel
    case previousPanel
    case restore
    /// The task of the selected row in full.
    case openDetail
    case previousTask
    case nextTask
    case allHeaders
    /// The certificates of the task's host.
    case trust
    case nextPreset
    case toggleMouse
    // Pictures.
    case openPicture
    /// As ``openPicture``, but for the tile of a task that lives: that leads to its detail.
    case openTile
    case openGallery
    case zoomPicture
    case previousPicture
    case nextPicture
    case left
    case right
    // Lists.
    case down
    case up
    case first
    /// `g`, which waits for another.
    case prefixG
    case last
    case pageDown
    case pageUp
    case halfDown
    case halfUp
    /// Selects the row, or no longer.
    case select
    /// From here to wherever the cursor goes.
    case selectRange
    case selectAll
    case filter
    case findNext
    case findPrevious
    case sort
    case reverse
    // Files and rows of what ended.
    case openFile
    case copyPath
    case copyURL
    case removeRow
    case deleteFile
    // Tasks.
    case abort
    case cancelReceipt
    case pause
    case pauseAll
    case cancelAll
    case retry
    case retryAll
    /// Opens the prompt with the URL of the task, to go on with another.
    case editURL
    /// Opens the prompt for what the rate of the task may be.
    case limitTask
    // Queue.
    case promote
    case toEnd
    case earlier
    case later
    /// Opens the prompt for the rate of all transfers together.
    case limitRate
    case moreSlots
    case fewerSlots
    case order
    case suspend
    // Cache.
    /// Takes the selected images out of the memory cache.
    case dropImage
    case clearCache
    case pressure
    /// Plays a recording, or goes elsewhere in it.
    case replay(ReplayPlayer.Command)
    // Prompt.
    case submit
    case leavePrompt
    case clearOrQuit
    case older
    case newer
    case complete
    /// Looks backwards through the history.
    case searchHistory
    case edit(LineEditor.Edit)
    // Certificates.
    case pinKey
    case editPins
    case tryPinning
    case tryInvalid
    case tryDomain
    case lookAgain
    // Questions, help, pastes.
    case yes
    case no
    case close

    /// Whether it does more in a panel in which its key holds than to say why it does nothing there.
    func works(in panel: Panel) -> Bool {
        switch self {
        case .sort, .reverse: !RowSort.choices(for: panel).isEmpty
        // Rows of what runs or waits are not taken away: it is aborted.
        case .removeRow: panel != .active && panel != .queued
        default: true
        }
    }

    /// Whether it opens what is looked at, which a single line can't show: it would stand there once there is room.
    var opensView: Bool {
        switch self {
        case .openPicture, .openTile, .openGallery, .trust, .focus(.detail): true
        default: false
        }
    }

    /// Whether it does something to the selected rows, which whoever presses it must see.
    var changesRow: Bool {
        switch self {
        case .abort, .cancelReceipt, .pause, .promote, .toEnd, .earlier, .later, .retry, .removeRow, .deleteFile,
            .dropImage, .editURL, .limitTask:
            true
        default: false
        }
    }
}
