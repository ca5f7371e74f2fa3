import SluiceCore

@testable import SluiceUI

/// Snapshots and events as a pipeline would send them, made by hand.
struct Scene {
    static let start = Timestamp(nanoseconds: 1_000_000_000_000)
    /// The moment that the pictures show.
    static let now = start + .seconds(62)

    var snapshot = PipelineSnapshot(time: Scene.now)
    var events: [PipelineEvent] = []

    static func configuration(
        _ depth: ColorDepth = .palette256,
        ascii: Bool = false,
        prompt: Bool = false
    ) -> DashboardConfiguration {
        // 12:40:04 UTC, so that the pictures show 12:41.
        var configuration = DashboardConfiguration(
            start: SessionStart(time: start, nanosecondsSince1970: 45_604_000_000_000),
            utcOffset: 0
        )
        configuration.colorDepth = depth
        configuration.isASCII = ascii
        configuration.directory = "~/Pictures"
        configuration.startsInPrompt = prompt
        return configuration
    }

    func dashboard(
        _ width: Int,
        _ height: Int,
        depth: ColorDepth = .palette256,
        ascii: Bool = false,
        prompt: Bool = false
    ) -> Dashboard {
        var dashboard = Dashboard(Self.configuration(depth, ascii: ascii, prompt: prompt))
        _ = dashboard.handle(.resized(width: width, height: height), now: Self.start)
        var memory = snapshot.memory
        // The saw-tooth: usage climbs in steps and falls to what a purge leaves.
        for step in 0..<140 where memory.usage > 0 {
            var earlier = PipelineSnapshot(time: Self.now + .milliseconds(-(140 - step) * 1_000))
            let phase = Double((step + 37) % 58) / 58
            memory.usage = Int((60.2 + phase * 39) * 1_048_576)
            earlier.memory = memory
            earlier.settings = snapshot.settings
            earlier.rate = Int((6 + 5 * Double((step * 7 + step * step) % 11) / 10) * 1_048_576)
            _ = dashboard.handle(.snapshot(earlier), now: earlier.time)
        }
        _ = dashboard.handle(.events(events, lost: 0), now: Self.now + .seconds(-8))
        _ = dashboard.handle(.snapshot(snapshot), now: Self.now)
        return dashboard
    }

    mutating func add(_ seconds: Double, _ kind: PipelineEvent.Kind) {
        events.append(PipelineEvent(seq: events.count + 1, t: .seconds(seconds), kind: kind))
    }
}

// MARK: - Scenes

extension Scene {
    static let empty: Scene = {
        var scene = Scene()
        scene.snapshot.memory.capacity = 104_857_600
        scene.snapshot.memory.preferred = 62_914_560
        scene.add(0, .sessionStarted(version: "0.1", pid: 1, settings: Settings()))
        return scene
    }()

    static let full: Scene = {
        var scene = empty
        scene.fillTasks()
        scene.fillQueue(38)
        scene.fillFigures()
        scene.fillEvents()
        return scene
    }()

    static let failing: Scene = {
        var scene = full
        scene.snapshot.active = [scene.snapshot.active[0]]
        for (name, seconds, code, status) in [
            ("harbour.webp", 9, DownloadError.Code.badStatus, 408), ("atlas-12.pdf", 281, .badStatus, 429),
            ("a\u{1B}]0;evil\u{7}\u{202E}gpj.exe", 70, .connectionLost, 0),
        ] {
            var row = Self.row(50 + seconds, name, "files.example", received: 2_000_000, of: 9_000_000)
            row.state = .waiting(until: now + .seconds(seconds), delay: .seconds(300))
            let error = DownloadError(code, "the server said \u{1B}[2J no", status: status == 0 ? nil : status)
            row.reason = .retryAfter(error, next: 2, of: 3, serverAsked: false)
            (row.attempt, row.attempts) = (2, 3)
            scene.snapshot.waiting.append(row)
        }
        for name in ["dunes-b.jpg", "iss-b.png"] {
            var row = Self.row(70 + name.count, name, "img.nasa.example", received: 31_000_000, of: 39_845_888)
            row.state = .paused
            row.reason = .pausedByUser(gaveSlot: true)
            scene.snapshot.paused.append(row)
        }
        scene.snapshot.waitingCount = scene.snapshot.waiting.count
        scene.snapshot.pausedCount = 2
        scene.snapshot.settings.suspended = true
        scene.snapshot.counts.failed = 6
        // One failed in this session; what an earlier one left stands beside it.
        scene.snapshot.failed = (1...5).map { number in
            PipelineSnapshot.Failed(
                url: "https://old.example/gone-\(number).png",
                error: DownloadError(.badStatus, "410 Gone", status: 410),
                until: now + .seconds(60 * number)
            )
        }
        scene.snapshot.failedCount = 5
        return scene
    }()

    static func row(
        _ task: Int,
        _ name: String,
        _ host: String,
        received: Int = 0,
        of total: Int? = nil
    ) -> PipelineSnapshot.Row {
        var row = PipelineSnapshot.Row(
            task: TaskID(task),
            url: "https://\(host)/hi/\(name)",
            name: name,
            host: host,
            state: .active,
            submitted: now + .seconds(-41)
        )
        (row.received, row.expected) = (received, total)
        row.source = .list(name: "urls.txt", line: 11 + task * 3)
        return row
    }

    /// Three images that were saved a moment ago.
    mutating func addFinishedImages() {
        for number in 1...3 {
            let url = "https://img.example/frame-\(number).png"
            var end = TaskEnd(task: TaskID(90 + number), url: url, outcome: .success, receipts: 1)
            (end.bytes, end.file) = (3_000, "/home/u/Pictures/frame-\(number).png")
            (end.image, end.key) = (ImageInfo(format: .png, width: 40, height: 20), url)
            add(54 + Double(number), .taskFinished(end))
        }
    }

    private mutating func fillTasks() {
        let rows: [(String, String, Int, Int, Int?, Int)] = [
            ("dunes-4096.jpg", "img.nasa.example", 3, 32_715_571, 39_845_888, 4_823_450),
            ("iss069e0031.png", "img.nasa.example", 1, 10_066_330, 24_536_678, 3_879_731),
            ("kraków-rynek.webp", "upload.example", 2, 734_003, 4_299_162, 1_992_294),
            ("timelapse-0412.mp4", "files.example", 1, 29_779_559, nil, 838_861),
        ]
        for (index, (name, host, receipts, received, total, rate)) in rows.enumerated() {
            var row = Self.row(index + 1, name, host, received: received, of: total)
            (row.receipts, row.rate) = (receipts, rate)
            (row.httpVersion, row.contentType) = ("2", "image/jpeg")
            row.reason = .slotFree(active: 3, limit: 4)
            snapshot.active.append(row)
        }
        var waiting = Self.row(9, "tile_0_0_7.png", "tiles.example")
        waiting.state = .waiting(until: Self.now + .seconds(2), delay: .seconds(4))
        (waiting.receipts, waiting.attempt, waiting.attempts) = (5, 2, 3)
        let error = DownloadError(.badStatus, "503 Service Unavailable", status: 503)
        waiting.reason = .retryAfter(error, next: 2, of: 3, serverAsked: false)
        snapshot.waiting = [waiting]
        snapshot.waitingCount = 1
    }

    mutating func fillQueue(_ count: Int) {
        let names = [
            "orion-nebula-hubble.tif", "2024-11-moon.png", "tile_0_1_7.png", "tile_0_2_7.png", "a1b2c3d4.jpeg",
            "a1b2c3d5.jpeg", "saturn rings.jpg", "poster.pdf", "map-42.png", "map-43.png",
        ]
        let hosts = ["esa.example", "img.nasa.example", "tiles.example", "tiles.example", "cdn.photos.example"]
        for index in 0..<min(count, 80) {
            var row = Self.row(100 + index, names[index % names.count], hosts[index % hosts.count])
            row.state = .queued(position: index + 1)
            row.receipts = [2, 1, 5, 5, 1][index % 5]
            snapshot.queued.append(row)
        }
        snapshot.queuedCount = count
    }

    private mutating func fillFigures() {
        snapshot.memory.usage = 88_185_242
        (snapshot.memory.count, snapshot.memory.largest) = (47, 24_012_391)
        (snapshot.memory.hits, snapshot.memory.misses) = (812, 331)
        (snapshot.memory.purges, snapshot.memory.freed) = (6, 258_998_272)
        fillLargest()
        snapshot.indicator.state = .active
        snapshot.indicator.since = Self.now + .seconds(-38)
        snapshot.indicator.tasks = 4
        (snapshot.rate, snapshot.received) = (11_534_336, 1_503_238_553)
        snapshot.connections = ["2": 2, "1.1": 1]
        snapshot.http.capacity = 157_286_400
        // 12 of the rows above the queue, 106 of what is queued.
        snapshot.liveReceipts = 118
        snapshot.counts.requests = 320
        snapshot.counts.tasks = 250
        (snapshot.counts.succeeded, snapshot.counts.failed, snapshot.counts.joined) = (212, 3, 57)
    }

    private mutating func fillLargest() {
        let images = [
            ("iss069e0030.png", 3_000, 2_000, 4), ("andes-night.jpg", 2_048, 1_365, 1),
            ("kyoto-autumn.jpg", 1_280, 853, 18),
            ("cover.webp", 800, 600, 40), ("cover@1x.webp", 400, 300, 40), ("tile_0_9_7.png", 256, 256, 2),
            ("tile_1_0_7.png", 256, 256, 2),
        ]
        snapshot.largest = images.map { name, width, height, idle in
            CachedImageRow(
                key: CacheKey(key: "https://img.example/\(name)"),
                cost: width * height * 4,
                width: width,
                height: height,
                accessed: Scene.now + .seconds(-idle)
            )
        }
        let changes: [(Double, ActivityState, ActivityState)] = [
            (2, .notActive, .delayingStart), (3, .delayingStart, .active), (20, .active, .delayingEnd),
            (20.17, .delayingEnd, .notActive), (23, .notActive, .delayingStart), (24, .delayingStart, .active),
        ]
        for (seconds, from, to) in changes { add(seconds, .indicatorChanged(from: from, to: to, tasks: 4)) }
    }

    private mutating func fillEvents() {
        for (index, task) in [(0, 1), (1, 1), (2, 1), (3, 2)] {
            var submission = Submission(
                url: "https://img.nasa.example/x.jpg",
                outcome: .started,
                why: .slotFree(active: 0, limit: 4),
                origin: .prompt
            )
            (submission.receipt, submission.task) = (ReceiptID(41 + index), TaskID(task))
            add(1, .requestSubmitted(submission))
        }
        for (seconds, freed, victims) in [
            (3.0, 46_242_202, 9), (15, 42_572_186, 30), (40, 46_137_344, 23), (50, 43_201_331, 17),
        ] {
            purge(seconds, freed: freed, victims: victims)
        }
        var merged = Submission(
            url: "https://img.nasa.example/dunes-4096.jpg",
            outcome: .joined,
            why: .joinedActive(receipts: 3),
            origin: .prompt
        )
        (merged.task, merged.receipts) = (TaskID(318), 3)
        add(51, .requestSubmitted(merged))
        failed(
            52,
            "https://maps.example/old-map.png",
            DownloadError(.badStatus, "404 Not Found", status: 404),
            task: 77
        )
        add(53, .warning(code: .name, message: "photo.jpg is text/html · kept as .html", task: TaskID(80)))
        var change = TaskChange(
            phase: .waiting,
            task: TaskID(9),
            url: "https://tiles.example/tile_0_0_7.png",
            attempt: 1,
            active: 4,
            queued: 38
        )
        change.delay = .seconds(3)
        change.reason = .retryAfter(
            DownloadError(.badStatus, "503 Service Unavailable", status: 503),
            next: 2,
            of: 3,
            serverAsked: true
        )
        add(53.5, .taskChanged(change))
        var end = TaskEnd(task: TaskID(90), url: "https://img.example/andes-night.jpg", outcome: .success, receipts: 1)
        (end.bytes, end.file) = (3_250_585, "/home/u/Pictures/andes-night.jpg")
        end.timings = TaskEnd.Timings(queued: .zero, transfer: TransferTimings(total: .milliseconds(700)))
        (end.image, end.key) = (ImageInfo(format: .jpeg, width: 2_048, height: 1_365), end.url)
        add(54, .taskFinished(end))
    }

    mutating func failed(_ seconds: Double, _ url: String, _ error: DownloadError, task: Int, key: String? = nil) {
        var end = TaskEnd(task: TaskID(task), url: url, outcome: .failed, receipts: 1)
        (end.error, end.key) = (error, key ?? url)
        add(seconds, .taskFinished(end))
    }

    mutating func purge(_ seconds: Double, freed: Int, victims: Int) {
        let before = 105_801_318
        add(
            seconds,
            .cacheChanged(
                CacheChange(
                    verb: .added,
                    key: CacheKey(key: "https://img.example/kyoto-autumn.jpg"),
                    cost: 6_186_598,
                    usage: before - freed,
                    capacity: 104_857_600,
                    count: 31,
                    why: .fitsCapacity
                )
            )
        )
        let all = (0..<victims).map { index in
            CachePurge.Victim(
                key: CacheKey(key: "https://img.example/plate-00\(index).jpg"),
                cost: freed / victims,
                idle: .seconds(252 - index)
            )
        }
        add(
            seconds,
            .cachePurged(
                CachePurge(
                    trigger: .capacity,
                    before: before,
                    needed: before - 62_914_560,
                    freed: freed,
                    preferred: 62_914_560,
                    victims: all
                )
            )
        )
    }
}
