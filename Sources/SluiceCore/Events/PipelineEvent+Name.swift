extension PipelineEvent.Kind {
    /// The name in the field `event`.
    public var name: String {
        switch self {
        case .sessionStarted: "session.started"
        case .requestSubmitted: "request.submitted"
        case .taskChanged(let change): change.phase.eventName
        case .taskResponse: "task.response"
        case .taskProgress: "task.progress"
        case .taskFinished: "task.finished"
        case .receiptFinished: "receipt.finished"
        case .cacheChanged(let change): change.verb.eventName
        case .cachePurged: "cache.purged"
        case .httpCacheChanged(let change): change.verb.eventName
        case .indicatorChanged: "indicator.changed"
        case .settingChanged: "settings.changed"
        case .prefetchProgress(_, _, _, _, let isEnd): isEnd ? "prefetch.finished" : "prefetch.progress"
        case .trustDecided: "trust.decided"
        case .warning: "warning"
        case .sessionEnded: "session.ended"
        }
    }
}

extension TaskChange.Phase {
    fileprivate var eventName: String {
        switch self {
        case .queued: "task.queued"
        case .started: "task.started"
        case .resumed: "task.resumed"
        case .suspended: "task.suspended"
        case .waiting: "task.waiting"
        case .detached: "task.detached"
        case .moved: "task.moved"
        }
    }
}

extension CacheChange.Verb {
    fileprivate var eventName: String {
        switch self {
        case .added: "cache.added"
        case .replaced: "cache.replaced"
        case .removed: "cache.removed"
        case .refused: "cache.refused"
        }
    }
}

extension HTTPCacheChange.Verb {
    fileprivate var eventName: String {
        switch self {
        case .stored: "httpcache.stored"
        case .hit: "httpcache.hit"
        case .revalidated: "httpcache.revalidated"
        case .evicted: "httpcache.evicted"
        case .skipped: "httpcache.skipped"
        }
    }
}
