/// The methods of the control socket, under the names that programs call.
public enum ControlMethod: String, CaseIterable, Sendable {
    case submit
    case cancel
    case abort
    case pause
    case resume
    case promote
    case retry
    case priority
    case move
    case set
    case trustList = "trust.list"
    case trustSet = "trust.set"
    case trustRemove = "trust.remove"
    case state
    case queue
    case task
    case cacheList = "cache.list"
    case cacheRemove = "cache.remove"
    case cacheClear = "cache.clear"
    case pressure
    case prefetch
    case prefetchCancel = "prefetch.cancel"
    case subscribe
    case wait
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

    /// Those that somebody who wrote `name` may have meant.
    static func names(near name: String) -> [String] {
        let word = String(name.lowercased().prefix(40))
        let ranked = allCases.map(\.rawValue).map { ($0, EditDistance.between(word, $0)) }
        return ranked.filter { $0.1 <= 2 }.sorted { $0.1 < $1.1 }.prefix(3).map(\.0)
    }
}
