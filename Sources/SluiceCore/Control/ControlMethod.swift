/// The methods of the control socket, under the names that programs call.
public enum ControlMethod: String, CaseIterable, Sendable {
    /// Requests, one or a list; each is answered as its event says.
    case submit
    /// Takes one receipt from its task, which others may go on waiting for.
    case cancel
    /// Ends a task for all of its receipts.
    case abort
    /// Stops a task and gives its slot back; without one, all that run, and the queue.
    case pause
    /// Queues a paused task at the front of its priority; without one, undoes the pause of all.
    case resume
    /// Moves a queued task before all others.
    case promote
    /// Submits the request of a task that failed again, whatever the failed list says.
    case retry
    /// Sets the priority of a task, whatever its receipts say.
    case priority
    /// Moves a queued task within its level.
    case move
    /// Changes one setting.
    case set
    /// Whom requests trust that are submitted now.
    case trustList = "trust.list"
    /// Sets the policy of a host pattern for later requests.
    case trustSet = "trust.set"
    /// Forgets the policy of a host pattern.
    case trustRemove = "trust.remove"
    /// What is live beyond the queue, and all figures.
    case state
    /// Queued tasks by position.
    case queue
    /// One task with its receipts and history, also of the last that ended.
    case task
    /// The memory cache, most recently accessed first.
    case cacheList = "cache.list"
    /// One entry of the memory cache, or an image with all variants.
    case cacheRemove = "cache.remove"
    /// Empties the memory cache, because somebody wants it empty.
    case cacheClear = "cache.clear"
    /// Empties the memory cache, as if memory were short.
    case pressure
    /// A batch of URLs that only fills the caches, behind all other tasks.
    case prefetch
    /// Takes back what is left of a batch.
    case prefetchCancel = "prefetch.cancel"
    /// Events from now on, or from a number on, as notifications.
    case subscribe
    /// Answered when no task is live, and all its events were sent.
    case wait
    /// Ends the program, once it is answered.
    case quit

    /// What it takes, as the manual says it.
    public var parameters: String {
        switch self {
        case .submit:
            "{url | urls, method?, body?, headers?, policy?, priority?, destination?, sha256?, retryFailed?, tag?,"
                + " thumbnail?, store?}"
        case .cancel: "{receipt}"
        case .abort, .promote, .retry, .task: "{task}"
        case .pause, .resume: "{task?}"
        case .priority: "{task, value}"
        case .move: "{task, by}"
        case .set: "{name, value}"
        case .trustSet: "{host, pinning?, pins?, allowInvalid?, validatesDomain?, cacert?, cert?, key?}"
        case .trustRemove: "{host}"
        case .queue: "{from?, count?}"
        case .cacheRemove: "{key, id?}"
        case .prefetch: "{urls}"
        case .prefetchCancel: "{batch}"
        case .subscribe: "{since?}"
        case .trustList, .state, .cacheList, .cacheClear, .pressure, .wait, .quit: "{}"
        }
    }

    /// The parameters of a call that is right, for whoever made a wrong one; `nil` where the method takes none.
    public var example: String? {
        switch self {
        case .submit: #"{"url":"https://site.example/a.jpg"}"#
        case .cancel: #"{"receipt":1}"#
        case .abort, .promote, .retry, .task, .pause, .resume: #"{"task":2}"#
        case .priority: #"{"task":2,"value":"high"}"#
        case .move: #"{"task":2,"by":-1}"#
        case .set: #"{"name":"maxActive","value":8}"#
        case .trustSet: #"{"host":"site.example","pinning":"none"}"#
        case .trustRemove: #"{"host":"site.example"}"#
        case .queue: #"{"from":1,"count":10}"#
        case .cacheRemove: #"{"key":"https://site.example/a.jpg"}"#
        case .prefetch: #"{"urls":["https://site.example/a.jpg"]}"#
        case .prefetchCancel: #"{"batch":1}"#
        case .subscribe: #"{"since":0}"#
        case .trustList, .state, .cacheList, .cacheClear, .pressure, .wait, .quit: nil
        }
    }

    /// Those that somebody who wrote `name` may have meant.
    static func names(near name: String) -> [String] {
        EditDistance.nearest(to: String(name.prefix(40)), among: allCases.map(\.rawValue))
    }
}
