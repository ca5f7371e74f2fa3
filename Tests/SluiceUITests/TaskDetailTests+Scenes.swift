import SluiceCore

@testable import SluiceUI

/// Tasks in the middle and at their ends, as the detail shows them.
extension TaskDetailTests {
    static func start(of task: Int, url: String = "http://a/") -> TaskChange {
        TaskChange(phase: .started, task: TaskID(task), url: url, attempt: 1, active: 1, queued: 0)
    }

    /// A task with every phase, decoded and saved.
    static func end(of task: Int, url: String = "http://a/") -> TaskEnd {
        var end = TaskEnd(task: TaskID(task), url: url, outcome: .success, receipts: 1)
        var transfer = TransferTimings(total: .milliseconds(1_550))
        (transfer.dns, transfer.connect) = (.milliseconds(50), .milliseconds(150))
        (transfer.tls, transfer.firstByte) = (.milliseconds(250), .milliseconds(350))
        var timings = TaskEnd.Timings(queued: .milliseconds(900), transfer: transfer)
        (timings.decode, timings.save) = (.milliseconds(300), .milliseconds(50))
        (end.timings, end.file, end.key) = (timings, "/tmp/x.png", url)
        return end
    }

    /// The inspected task, which others of its host went before, and which was sent on.
    static let compared: Scene = {
        var scene = inspected
        let url = "https://img.nasa.example/hi/other.jpg"
        scene.add(20.9, .taskChanged(start(of: 620, url: url)))
        for number in 0..<21 {
            var end = end(of: 600 + number, url: url)
            let more = Duration.milliseconds(100 * number)
            end.timings?.transfer.total = .milliseconds(700) + more
            scene.add(24, .taskFinished(end))
        }
        let own = scene.snapshot.active[0].url
        var head = scene.snapshot.inspected?.head ?? ResponseHead(status: 200, finalURL: own)
        (head.redirects, head.finalURL) = (5, own)
        head.hops = [
            RedirectHop(status: 301, url: "https://b.example/\u{1B}[2Jnext"), RedirectHop(status: 307, url: own),
        ]
        scene.snapshot.inspected?.head = head
        scene.events.removeAll { if case .taskResponse(TaskID(1), _, _) = $0.kind { true } else { false } }
        scene.add(24.5, .taskResponse(TaskID(1), head, source: .network))
        return scene
    }()

    /// The full scene, with what the pipeline tells of its first task.
    static let inspected: Scene = {
        var scene = Scene.full
        let url = scene.snapshot.active[0].url
        let options = RequestOptions()
        let sources: [DownloadRequest.Source] = [
            .prompt, .list(name: "urls.txt", line: 14), .list(name: "urls.txt", line: 88),
        ]
        let claims = sources.enumerated().map { index, source in
            TaskFacts.Claim(
                receipt: ReceiptID(41 + index),
                source: source,
                submitted: Scene.start + .seconds(21 + index),
                options: options
            )
        }
        scene.snapshot.active[0].submitted = Scene.start + .seconds(21)
        var facts = TaskFacts(scene.snapshot.active[0], key: url, claims: claims, policy: .protocol)
        var head = ResponseHead(status: 200, finalURL: url)
        head.fields = [
            HeaderField("Content-Type", "image/jpeg"), HeaderField("ETag", "\"5f3a-61\""),
            HeaderField("X-Note", "\u{1B}[2J made visible"),
        ]
        (head.httpVersion, head.remoteAddress) = ("2", "192.0.2.7:443")
        var timings = TransferTimings(total: .milliseconds(1_500))
        (timings.dns, timings.connect) = (.milliseconds(120), .milliseconds(430))
        (timings.tls, timings.firstByte) = (.milliseconds(890), .milliseconds(1_500))
        head.timings = timings
        facts.head = head
        facts.started = Scene.start + .seconds(23)
        scene.snapshot.inspected = facts
        var change = TaskChange(phase: .started, task: TaskID(1), url: url, attempt: 1, active: 4, queued: 38)
        change.reason = .slotFree(active: 4, limit: 4)
        scene.add(23, .taskChanged(change))
        scene.add(24.5, .taskResponse(TaskID(1), head, source: .network))
        return scene
    }()
}
