/// The results of every method, field by field.
extension ControlEncoder {
    func appendResult(_ reply: PipelineReply, _ call: ControlCall, to json: inout JSONWriter) {
        switch reply.answer {
        case .submissions(let submissions):
            if call.isList { json.beginArray() }
            for submission in submissions {
                json.beginObject()
                events.appendAnswer(submission, now: reply.time, isResult: true, to: &json)
                json.endObject()
            }
            if call.isList { json.endArray() }
        case .changed(let isChanged):
            let name: String =
                switch call.method {
                case .cancel: "cancelled"
                case .cacheRemove: "removed"
                default: "changed"
                }
            object(&json) { $0.field(name, isChanged) }
        case .tasks(let count): object(&json) { $0.field("tasks", count) }
        case .setting(let name, let from, let to):
            object(&json) { json in
                json.field("name", name)
                events.append("from", from, to: &json)
                events.append("to", to, to: &json)
            }
        case .trust(let book): append(book, to: &json)
        case .trustChanged(let from, let to):
            object(&json) { json in
                if call.method == .trustRemove {
                    json.field("removed", from != to)
                } else {
                    append(from: from, to: to, to: &json)
                }
            }
        case .state(let state): append(state, to: &json)
        case .queue(let tasks): array(tasks, &json) { append($0, to: &$1) }
        case .task(let report): append(report, now: reply.time, to: &json)
        case .cachedImages(let images):
            array(images, &json) { image, json in
                object(&json) { json in
                    events.append(image.key, to: &json)
                    json.field("cost", image.cost)
                    json.field("idle", image.idle)
                }
            }
        case .purged(let removed, let freed):
            object(&json) { json in
                json.field("removed", removed)
                json.field("freed", freed)
            }
        case .batch(let batch): object(&json) { $0.field("batch", batch.rawValue) }
        case .done:
            object(&json) { json in if call.method == .subscribe { json.field("seq", reply.seq) } }
        case .unknownTask, .unknownReceipt, .refused, .trustRefused, .shuttingDown: preconditionFailure("is an error")
        }
    }

    // MARK: - State

    private func append(_ state: PipelineState, to json: inout JSONWriter) {
        json.beginObject()
        json.key("active")
        array(state.active, &json) { task, json in
            object(&json) { json in
                json.field("task", task.task.rawValue)
                json.field("url", task.url)
                json.field("received", task.received)
                json.fieldOrNull("expected", task.expected)
                json.field("receipts", task.receipts)
            }
        }
        json.key("queued")
        array(state.queued, &json) { append($0, to: &$1) }
        json.field("queuedCount", state.queuedCount)
        json.key("paused")
        array(state.paused, &json) { append($0, to: &$1) }
        json.key("waiting")
        array(state.waiting, &json) { task, json in
            object(&json) { json in
                json.field("task", task.task.rawValue)
                json.field("url", task.url)
                json.key("until")
                json.time(wallClock(task.until))
                json.field("receipts", task.receipts)
            }
        }
        json.key("answering")
        array(state.answering, &json) { append($0, to: &$1) }
        appendFigures(state, to: &json)
        json.endObject()
    }

    private func appendFigures(_ state: PipelineState, to json: inout JSONWriter) {
        json.key("memory")
        object(&json) { json in
            json.field("usage", state.memory.usage)
            json.field("capacity", state.memory.capacity)
            json.field("preferred", state.memory.preferred)
            json.field("count", state.memory.count)
            json.field("hits", state.memory.hits)
            json.field("misses", state.memory.misses)
        }
        json.key("http")
        object(&json) { json in
            json.field("usage", state.http.usage)
            json.field("capacity", state.http.capacity)
            json.field("count", state.http.count)
        }
        json.key("indicator")
        object(&json) { json in
            json.field("state", word: state.indicator.rawValue)
            json.field("visible", state.indicator.isVisible)
            json.field("tasks", state.indicatorTasks)
        }
        events.append(state.settings, to: &json)
        json.key("counts")
        object(&json) { events.append(state.counts, to: &$0) }
    }

    private func append(_ task: QueuedTask, to json: inout JSONWriter) {
        object(&json) { json in
            json.field("task", task.task.rawValue)
            json.field("url", task.url)
            json.field("position", task.position)
            json.field("priority", word: task.priority.name)
            json.field("receipts", task.receipts)
        }
    }

    private func append(_ task: PipelineState.Resting, to json: inout JSONWriter) {
        object(&json) { json in
            json.field("task", task.task.rawValue)
            json.field("url", task.url)
            json.field("receipts", task.receipts)
        }
    }

    // MARK: - One task

    private func append(_ report: TaskReport, now: Timestamp, to json: inout JSONWriter) {
        json.beginObject()
        json.field("task", report.task.rawValue)
        json.field("url", report.url)
        json.field("state", word: report.state.rawValue)
        if let key = report.key { json.field("key", key) }
        if let priority = report.priority { json.field("priority", word: priority.name) }
        if let position = report.position { json.field("position", position) }
        if let until = report.until {
            json.key("until")
            json.time(wallClock(until))
        }
        if let attempt = report.attempt { json.field("attempt", attempt) }
        if let received = report.received {
            json.field("received", received)
            json.fieldOrNull("expected", report.expected)
        }
        if let reason = report.reason { json.field("reason", events.sentence(reason, now)) }
        if let end = report.end { events.appendOutcome(end, receipts: "served", to: &json) }
        json.key("receipts")
        array(report.receipts, &json) { receipt, json in
            object(&json) { json in
                json.field("receipt", receipt.receipt.rawValue)
                if let tag = receipt.tag { json.field("tag", tag) }
                json.key("outcome")
                if let outcome = receipt.outcome { json.word(outcome.rawValue) } else { json.null() }
                if let file = receipt.file { json.field("file", file) }
                events.append(receipt.error, to: &json)
            }
        }
        json.key("history")
        array(report.history, &json) { entry, json in append(entry, to: &json) }
        json.endObject()
    }

    private func append(_ entry: TaskJournal.Entry, to json: inout JSONWriter) {
        object(&json) { json in
            json.field("t", entry.t)
            json.key("time")
            json.time(events.start.nanosecondsSince1970(after: entry.t))
            json.field("event", word: entry.event)
            if let attempt = entry.attempt { json.field("attempt", attempt) }
            if let status = entry.status { json.field("status", status) }
            if let reason = entry.reason { json.field("reason", reason) }
        }
    }

    // MARK: - Details

    private func wallClock(_ time: Timestamp) -> Int64 {
        events.start.nanosecondsSince1970(at: time)
    }

    private func object(_ json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        json.beginObject()
        body(&json)
        json.endObject()
    }

    private func array<Element>(
        _ elements: [Element],
        _ json: inout JSONWriter,
        _ body: (Element, inout JSONWriter) -> Void
    ) {
        json.beginArray()
        for element in elements { body(element, &json) }
        json.endArray()
    }
}
