public import SluiceCore

/// Checks a whole stream of events, line by line: numbers, times, order, and that sums add up.
///
/// Feed it every line a program wrote, then call ``finish()`` once. It knows no program
/// and no pipeline, only what the specification promises of the stream.
public struct EventStreamChecker {
    private struct Task {
        var isRunning = false
        var isQueued = false
        var hasStarted = false
        var isPaused = false
        var end: String?
        var announcedReceipts = 0
        var deliveredAfterEnd = 0
        var lastDelivered = 0
        /// Of the transfer under way or the last one.
        var progress: [(t: Double, received: Int)] = []
    }

    private struct Receipt {
        let task: Int
        var isFinished = false
    }

    /// Everything that was read.
    public private(set) var events: [JSONValue] = []
    private var lines: [String] = []
    private var tasks: [Int: Task] = [:]
    private var receipts: [Int: Receipt] = [:]
    /// Of the tasks that run, and that are queued, as the stream has it.
    private var (active, queued) = (0, 0)
    private var settings: [String: JSONValue] = [:]
    private var indicator = "notActive"
    private var answers = AnswerOrder()
    private var isEnded = false

    public init() {}

    /// Checks a whole log.
    ///
    /// - Returns: The events.
    @discardableResult
    public static func check(_ lines: some Sequence<String>) throws -> [JSONValue] {
        var checker = EventStreamChecker()
        for line in lines { try checker.read(line) }
        try checker.finish()
        return checker.events
    }

    /// Reads the next line, without its line break.
    public mutating func read(_ line: String) throws {
        let event = try EventSchema.check(line: line)
        let name = event["event"]?.string ?? ""
        if let problem = problemOfFrame(event) ?? apply(name, event) ?? answers.read(name, event) {
            throw EventSchema.Violation(problem, in: line)
        }
        events.append(event)
        lines.append(line)
    }

    /// Says that no more lines come.
    public func finish() throws {
        let last = lines.last ?? "an empty stream"
        guard isEnded else { throw EventSchema.Violation("no session.ended", in: last) }
        let open = receipts.filter { !$0.value.isFinished }.keys.sorted()
        guard open.count == number(events.last, "left") else {
            throw EventSchema.Violation(
                "receipts \(open) have no outcome, which are not the \(number(events.last, "left")) left",
                in: last
            )
        }
        for (id, task) in tasks where task.end != nil && task.deliveredAfterEnd != task.announcedReceipts {
            let counts = "\(task.announcedReceipts) receipts, and delivered \(task.deliveredAfterEnd)"
            throw EventSchema.Violation("task \(id) announced \(counts)", in: last)
        }
        if let problem = problemOfCounts { throw EventSchema.Violation(problem, in: last) }
    }

    /// Names of the events that were read.
    public var names: [String] { events.compactMap { $0["event"]?.string } }

    // MARK: - Frame

    private func problemOfFrame(_ event: JSONValue) -> String? {
        if isEnded { return "an event after session.ended" }
        if number(event, "seq") != events.count + 1 { return "seq is not \(events.count + 1)" }
        if (event["event"]?.string == "session.started") != events.isEmpty {
            return "session.started is the first event"
        }
        guard let before = events.last else { return nil }
        if (event["t"]?.double ?? 0) < (before["t"]?.double ?? 0) { return "t runs backwards" }
        return (event["time"]?.string ?? "") < (before["time"]?.string ?? "") ? "time runs backwards" : nil
    }

    private mutating func apply(_ name: String, _ event: JSONValue) -> String? {
        switch name {
        case "session.started":
            if case .object(let values)? = event["settings"] { settings = values }
            return nil
        case "session.ended":
            isEnded = true
            return nil
        case "request.submitted": return submitted(event)
        case "receipt.finished": return receiptFinished(event)
        case "settings.changed": return settingChanged(event)
        case "indicator.changed": return indicatorChanged(event)
        case _ where name.hasPrefix("task."): return taskEvent(name, event)
        default: return nil
        }
    }

    // MARK: - Requests and receipts

    private mutating func submitted(_ event: JSONValue) -> String? {
        if let id = event["task"]?.int {
            if let task = tasks[id], task.end != nil { return "task \(id) has ended" }
            let isNew = tasks[id] == nil
            if isNew, event["outcome"]?.string == "joined" { return "joined task \(id), which is unknown" }
            if !isNew, ["started", "queued"].contains(event["outcome"]?.string) { return "task \(id) is not new" }
            if isNew, let newest = tasks.keys.max(), id <= newest { return "task \(id) after task \(newest)" }
            tasks[id] = tasks[id] ?? Task()
            if isNew, event["outcome"]?.string == "queued", event["position"] != nil {
                tasks[id]?.isQueued = true
                queued += 1
            }
        }
        guard let id = event["receipt"]?.int, let task = event["task"]?.int else {
            return event["receipt"] == nil ? nil : "a receipt without task"
        }
        if let newest = receipts.keys.max(), id <= newest { return "receipt \(id) after receipt \(newest)" }
        receipts[id] = Receipt(task: task)
        return nil
    }

    private mutating func receiptFinished(_ event: JSONValue) -> String? {
        let (id, taskID) = (number(event, "receipt"), number(event, "task"))
        guard let receipt = receipts[id], receipt.task == taskID else {
            return "receipt \(id) of task \(taskID) is unknown"
        }
        if receipt.isFinished { return "receipt \(id) has two outcomes" }
        receipts[id]?.isFinished = true
        guard let task = tasks[taskID] else { return "task \(taskID) is unknown" }
        let outcome = event["outcome"]?.string
        guard let end = task.end else {
            return outcome == "cancelled" ? nil : "receipt \(id) ends before its task"
        }
        if outcome != end { return "receipt \(id) is \(outcome ?? ""), its task \(end)" }
        if id < task.lastDelivered { return "receipt \(id) after receipt \(task.lastDelivered)" }
        tasks[taskID]?.lastDelivered = id
        tasks[taskID]?.deliveredAfterEnd += 1
        return nil
    }

    // MARK: - Tasks

    private mutating func taskEvent(_ name: String, _ event: JSONValue) -> String? {
        let id = number(event, "task")
        guard var task = tasks[id] else { return "task \(id) was not submitted" }
        if task.end != nil { return "\(name) after the end of task \(id)" }
        defer { tasks[id] = task }
        if let problem = takePlace(name, &task, event) { return "\(name) of task \(id): \(problem)" }
        switch name {
        case "task.started", "task.resumed":
            if (name == "task.resumed") != task.hasStarted {
                return "\(name) of task \(id), started: \(task.hasStarted)"
            }
            if task.isRunning { return "task \(id) runs already" }
            (task.isRunning, task.hasStarted, task.isPaused, task.progress) = (true, true, false, [])
            let (active, limit) = (number(event, "active"), settings["maxActive"]?.int ?? 0)
            return 1...max(limit, 1) ~= active ? nil : "\(active) active, where maxActive is \(limit)"
        case "task.suspended":
            if task.isPaused { return "task \(id) is paused already" }
            (task.isRunning, task.isPaused) = (false, true)
        case "task.waiting":
            // One of an earlier session goes on with the wait that it had there.
            let isRestored = !task.hasStarted && event["reason"]?.string?.contains("earlier session") ?? false
            if !task.isRunning, !isRestored { return "task \(id) waits without having run" }
            task.isRunning = false
        case "task.queued", "task.moved":
            if task.isRunning { return "\(name) of task \(id), which runs" }
            task.isPaused = false
        case "task.detached":
            if !task.isRunning { return "task \(id) is detached without running" }
        case "task.progress": return progressed(id, &task, event)
        case "task.finished": return finished(id, &task, event)
        default: break
        }
        return nil
    }

    /// Counts a task where an event puts it, and compares what the event counts.
    private mutating func takePlace(_ name: String, _ task: inout Task, _ event: JSONValue) -> String? {
        let (isRunning, isQueued) =
            switch name {
            case "task.started", "task.resumed": (true, false)
            case "task.suspended", "task.waiting", "task.finished": (false, false)
            case "task.queued": (false, true)
            default: (task.isRunning, task.isQueued)
            }
        active += (isRunning ? 1 : 0) - (task.isRunning ? 1 : 0)
        queued += (isQueued ? 1 : 0) - (task.isQueued ? 1 : 0)
        task.isQueued = isQueued
        if let said = event["active"]?.int, said != active { return "\(said) active, which are \(active)" }
        if let said = event["queued"]?.int, said != queued { return "\(said) queued, which are \(queued)" }
        return nil
    }

    private func progressed(_ id: Int, _ task: inout Task, _ event: JSONValue) -> String? {
        if !task.isRunning { return "progress of task \(id), which does not run" }
        let (t, received) = (event["t"]?.double ?? 0, number(event, "received"))
        if let last = task.progress.last, received < last.received { return "task \(id) lost bytes" }
        if let expected = event["expected"]?.int, received > expected { return "task \(id) has more than it expects" }
        task.progress.append((t, received))
        // Ten a second, the first and the last not counted.
        if task.progress.count > 12, t - task.progress[task.progress.count - 13].t < 1 { return "progress too often" }
        return nil
    }

    private func finished(_ id: Int, _ task: inout Task, _ event: JSONValue) -> String? {
        task.end = event["outcome"]?.string
        task.announcedReceipts = number(event, "receipts")
        task.isRunning = false
        let isFromNetwork = event["source"]?.string == "network" && task.end == "success"
        if isFromNetwork, !task.hasStarted { return "task \(id) succeeded without having started" }
        return isFromNetwork && task.progress.isEmpty ? "task \(id) succeeded without progress" : nil
    }

    // MARK: - The rest

    private mutating func settingChanged(_ event: JSONValue) -> String? {
        guard let name = event["name"]?.string, let to = event["to"] else { return "no name" }
        if settings[name] != event["from"] { return "\(name) was not \(event["from"] ?? .null)" }
        settings[name] = to
        return nil
    }

    private mutating func indicatorChanged(_ event: JSONValue) -> String? {
        let (from, to) = (event["from"]?.string ?? "", event["to"]?.string ?? "")
        if from != indicator { return "the indicator was \(indicator)" }
        let allowed = [
            "notActive": ["delayingStart"], "delayingStart": ["active", "notActive"],
            "active": ["delayingEnd", "notActive"], "delayingEnd": ["active", "notActive"],
        ]
        guard allowed[from]?.contains(to) == true else { return "\(from) does not lead to \(to)" }
        if to == "active", number(event, "tasks") == 0 { return "active without tasks" }
        indicator = to
        return nil
    }

    private var problemOfCounts: String? {
        let submissions = events.filter { $0["event"]?.string == "request.submitted" }
        let count = { (outcome: String) in submissions.filter { $0["outcome"]?.string == outcome }.count }
        let ended = { (outcome: String) in tasks.values.filter { $0.end == outcome }.count }
        let expected = [
            ("requests", submissions.count), ("tasks", tasks.count), ("cached", count("cached")),
            ("rejected", count("rejected")), ("joined", count("joined")),
            ("succeeded", ended("success")), ("failed", ended("failed")), ("cancelled", ended("cancelled")),
        ]
        for (name, value) in expected where number(events.last, name) != value {
            return "\(name) are \(value), said to be \(number(events.last, name))"
        }
        return nil
    }

    private func number(_ event: JSONValue?, _ name: String) -> Int { event?[name]?.int ?? 0 }
}
