/// What a key asks for, whatever key it is.
enum KeyAction: Hashable, Sendable {
    // Everywhere.
    case quit
    case help
    case redraw
    case stop
    case typeURL
    case typeList
    case focus(Panel)
    case nextPanel
    case previousPanel
    case restore
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
    // Tasks.
    case abort
    case cancelReceipt
    case pause
    case pauseAll
    case cancelAll
    case retry
    case retryAll
    // Queue.
    case promote
    case toEnd
    case earlier
    case later
    case moreSlots
    case fewerSlots
    case order
    case suspend
    // Cache.
    case clearCache
    case pressure
    // Prompt.
    case submit
    case leavePrompt
    case clearOrQuit
    case older
    case newer
    /// A key of ``LineEditor``.
    case edit
    // Questions, help, pastes.
    case yes
    case no
    case close
}
