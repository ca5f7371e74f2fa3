import SluiceCore

/// What reading the state file found to be done in it.
///
/// Nobody waits for it, and nothing is lost where it can't be done: the next start finds the same again.
struct StateChores {
    /// Files that got their names just before their process died.
    var files: [KnownFile] = []
    /// Known files that are too many.
    var excess: [KnownFile] = []
    /// Paths of parts that are none any more.
    var parts: [String] = []
    /// Requests that need no task any more.
    var requests: [RestoredRequest.Row] = []
    /// Sessions of dead processes of which nothing is left.
    var sessions: [Int] = []
}
