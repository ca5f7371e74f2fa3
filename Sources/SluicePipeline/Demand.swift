internal import SluiceCore

/// A request that has a valid URL, on its way to its task or its answer, with what is known of it.
struct Demand {
    let request: DownloadRequest
    let url: RequestURL
    /// What it is merged by.
    let key: MergeKey
    /// Who the user is to its origin.
    let user: Credentials?
    /// Hears the outcome.
    let handle: RequestHandle?
    /// How the task stood whose place the one takes that is made for it.
    let standing: TaskStanding?

    /// What of it outlasts its submission, for the task that is made for it.
    ///
    /// Where the key leaves out a part of the URL, that is what is fetched.
    var target: TaskTarget { TaskTarget(url: url.url == key.url ? nil : url.url, user: user) }
}
