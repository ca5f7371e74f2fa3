import SluiceCore

/// Checks who answers tasks, and that the HTTP cache says what it did at the end that it belongs to.
///
/// Events of the HTTP cache name no task: what was stored, hit, revalidated or skipped stands right
/// before the end of the task that it is about, so the two must fit each other.
struct AnswerOrder {
    private struct Answer {
        let source: String
        /// What is stored under it.
        let url: String
        let hasHeaders: Bool
    }

    private struct Task {
        let url: String
        /// The submission said that the disk answers.
        let isFromDisk: Bool
        var hasStarted = false
        /// Of the attempt under way.
        var answer: Answer?
    }

    /// What an event of the HTTP cache announces.
    private struct Announcement {
        let name: String
        let key: String
    }

    private var tasks: [Int: Task] = [:]
    private var announcement: Announcement?
    private var capacity = 0
    /// What keys leave out of URLs.
    private var filter: [String] = []

    /// Looks at the next event.
    ///
    /// - Returns: What it breaks.
    mutating func read(_ name: String, _ event: JSONValue) -> String? {
        if name.hasPrefix("httpcache.") { return cacheEvent(name, event) }
        let announced = announcement?.name
        if let problem = follows(name, event) { return problem }
        switch name {
        case "session.started":
            capacity = event["settings"]?["httpCapacity"]?.int ?? 0
            filter = event["settings"]?["keyFilter"]?.array?.compactMap(\.string) ?? []
        case "settings.changed" where event["name"]?.string == "keyFilter":
            filter = event["to"]?.array?.compactMap(\.string) ?? []
        case "settings.changed" where event["name"]?.string == "httpCapacity": capacity = event["to"]?.int ?? 0
        case "request.submitted": submitted(event)
        case "task.started", "task.resumed":
            guard let id = event["task"]?.int else { return nil }
            tasks[id]?.hasStarted = true
            tasks[id]?.answer = nil
        case "task.response": return responded(event)
        case "task.finished": return finished(event, announced)
        default: break
        }
        return nil
    }

    private mutating func submitted(_ event: JSONValue) {
        guard let id = event["task"]?.int, tasks[id] == nil else { return }
        let isFromDisk = event["outcome"]?.string == "cached" && event["source"]?.string == "disk"
        tasks[id] = Task(url: event["url"]?.string ?? "", isFromDisk: isFromDisk)
    }

    private mutating func cacheEvent(_ name: String, _ event: JSONValue) -> String? {
        let (key, usage) = (event["key"]?.string ?? "", event["usage"]?.int ?? 0)
        let isGone = name == "httpcache.evicted" || name == "httpcache.skipped"
        if isGone, event["freshUntil"] != .null { return "\(name) of \(key), which is fresh" }
        if name == "httpcache.evicted" { return nil }
        if let announcement { return "\(name) of \(key) after \(announcement.name) of \(announcement.key)" }
        announcement = Announcement(name: name, key: key)
        guard name == "httpcache.stored" else { return nil }
        if capacity > 0, usage > capacity { return "stored \(usage) bytes in all, where \(capacity) are allowed" }
        return usage < event["bytes"]?.int ?? 0 ? "stored more than there is" : nil
    }

    /// Compares what the cache announced with the event that comes next.
    private mutating func follows(_ name: String, _ event: JSONValue) -> String? {
        guard let announcement else { return nil }
        let said = "\(announcement.name) of \(announcement.key)"
        // What was refused may be tried again, or warned of first.
        let isSkipped = announcement.name == "httpcache.skipped"
        if isSkipped, name == "warning" { return nil }
        self.announcement = nil
        guard name == "task.finished" || isSkipped && name == "task.waiting" else { return "\(name) after \(said)" }
        guard let id = event["task"]?.int, let task = tasks[id] else { return "\(said), and no task that is known" }
        guard let answer = task.answer else { return "\(said) for task \(id), which had no answer" }
        let source = ["httpcache.hit": "disk", "httpcache.revalidated": "revalidated"][announcement.name] ?? "network"
        if answer.source != source { return "\(said) for task \(id), which \(answer.source) answered" }
        if !isSkipped, event["outcome"]?.string != "success" { return "\(said) for task \(id), which failed" }
        let url = announcement.name == "httpcache.stored" ? answer.url : task.url
        if announcement.key == KeyFilter(filter).key(for: url) { return nil }
        return "\(said) for task \(id), which is about \(url)"
    }

    private mutating func responded(_ event: JSONValue) -> String? {
        guard let id = event["task"]?.int, let task = tasks[id] else { return nil }
        let source = event["source"]?.string ?? ""
        if !task.hasStarted, source != "disk" || !task.isFromDisk {
            return "task \(id) was answered from \(source) before it started"
        }
        let isRedirected = (event["redirects"]?.int ?? 0) > 0
        tasks[id]?.answer = Answer(
            source: source,
            url: isRedirected ? event["finalURL"]?.string ?? "" : task.url,
            hasHeaders: event["headers"]?.array?.isEmpty == false
        )
        return nil
    }

    private func finished(_ event: JSONValue, _ announced: String?) -> String? {
        guard let id = event["task"]?.int, event["outcome"]?.string == "success" else { return nil }
        guard let answer = tasks[id]?.answer else { return "task \(id) succeeded without task.response" }
        let source = event["source"]?.string ?? ""
        if source != answer.source { return "task \(id) ended from \(source), answered from \(answer.source)" }
        // A copy of an earlier save is no hit, and has no headers.
        let wanted = ["disk": answer.hasHeaders ? "httpcache.hit" : nil, "revalidated": "httpcache.revalidated"][source]
        guard let wanted, let wanted, announced != wanted else { return nil }
        return "task \(id) ended from \(source) without \(wanted)"
    }
}
