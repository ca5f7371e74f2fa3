/// What a warning is about, in a word that stays: programs go by it, its sentence is for people.
public enum WarningCode: String, CaseIterable, Sendable {
    /// The preferred size of the memory cache was lowered to fit the capacity that the command line gives.
    case cachePreferred
    /// A certificate of a host that is trusted is out of date or soon will be; once a host.
    case certificateEnds
    /// No socket could be opened in the usual place, so no program can steer this dashboard.
    case control
    /// No file could be made at one of the destinations of a task; those requests get the first file.
    case copy
    /// Who the user is, as the command line says it, is told nobody: no URL there names a host for it.
    case credentials
    /// There is no room for a body, and the queue is paused until there is.
    case diskFull
    /// The end of ``diskFull``: there is room again, or nothing waits for it any more.
    case diskSpace
    /// The server sent more than it announced, which was dropped.
    case extraBytes
    /// A file was deleted, as the user asked; the message is its path alone.
    case fileDeleted
    /// A file that the user asked to delete stays: it is no file of this session, changed since, or can't be removed.
    case fileKept
    /// The usual folder can't be an HTTP cache, and nothing is stored for later.
    case httpCache
    /// Hosts may be anybody by the rules of trust; told at the start and after each change of them.
    case insecure
    /// A body that is not what it should be was kept under a name that says so.
    case kept
    /// The list on standard input can't be read any further, or is not read since nobody asked for it.
    case list
    /// A file has another name than expected, since HTML came where the name promises an image.
    case name
    /// A body is kept as data: an image in a format that is not decoded, or one that is too large for it.
    case notDecoded
    /// A body that is not what it should be could not be kept for a look at it.
    case notKept
    /// Requests that a session with another directory left go on without their parts, or wait for one that saves.
    case otherDirectory
    /// An answer that was given already could not be refreshed, and stands.
    case refresh
    /// Some of what failed in an earlier session can't be tried again, for what they were sent with is not kept.
    case retry
    /// A URL on the command line looks like a series, and is asked for as it stands.
    case series
    /// A setting was given a value that it can't have, and stays as it was.
    case setting
    /// The file's name is taken, and what is there stays, as `onExists` says.
    case skipped
    /// The state that sessions leave can't be read or written, for now or for good.
    case state
    /// What earlier sessions left is damaged, and is not taken up as far as it is.
    case stateDamaged
    /// The end of ``state``: what happens is kept again, and nothing is missing.
    case stateKept
    /// A task can't go on under another URL, or goes on there without what was for its old server alone.
    case url

    /// A recording has a word that this Sluice does not know, as a later one may add; never told otherwise.
    case other
}
