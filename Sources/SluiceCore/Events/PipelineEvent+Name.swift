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

extension ResponseHead {
    /// The media type alone, lower-cased, without parameters; `nil` if it was not said.
    public var mediaType: String? { Self.mediaType(of: self.contentType) }

    /// The same of a field's value.
    public static func mediaType(of contentType: String?) -> String? {
        guard let contentType else { return nil }
        // Asked for every body, and mostly what was sent is it already.
        let isPlain = contentType.utf8.allSatisfy { isPlainInMediaType($0) }
        if isPlain, !contentType.isEmpty { return contentType }
        let bytes = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let type = bytes.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return type.isEmpty ? nil : String(decoding: type, as: UTF8.self).lowercased()
    }

    /// Whether a byte stands in the type alone as in what was sent: no parameter, blank or capital begins there.
    private static func isPlainInMediaType(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"): false
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): false
        default: byte < 0x80
        }
    }
}
