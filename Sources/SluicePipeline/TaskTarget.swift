internal import SluiceCore

/// What is asked for a task, and by whom, where its key does not say so.
///
/// Known from the submission on, and apart from ``TaskNotes``, since a long list may have it for each of its tasks.
struct TaskTarget: Equatable {
    /// What is fetched where the key leaves out a part of it.
    var url: String?
    /// The user name and password that stood in the URL, or that its host has.
    var user: Credentials?

    var isEmpty: Bool { url == nil && user == nil }
}
