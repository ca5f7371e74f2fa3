internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePipeline
internal import SluiceSystem

/// Asks for the demo's resources as a busy user would, so that everything is seen within the first minute.
///
/// A thread of its own that sleeps between steps; ``end()`` wakes and ends it.
final class DemoFeed: Sendable {
    /// What is done at a time after the start.
    private enum Step: Sendable {
        /// Each path is a request; equal ones merge.
        case ask([String])
        /// The same, whatever is stored.
        case reload([String])
        /// Asks the origin whether what is stored still holds, before all that queues.
        case revalidate([String])
        /// Cancels the newest receipt of a path.
        case cancel(String)
        /// Aborts the task of a path.
        case abort(String)
        /// Waits until the activity indicator has gone out; all later steps are as much later.
        case rest
    }

    private struct Live {
        var receipts: [String: ReceiptID] = [:]
        var tasks: [String: TaskID] = [:]
        var hasGoneOut = false
        var isOver = false
    }

    /// After the first act the second one is repeated at this distance, in seconds.
    private static let period = 62.0
    /// What a repeated act asks for until then is loaded anew, or nothing would be seen but hits; in seconds.
    private static let reloads = 24.0
    /// The longest rest; a slow machine needs seconds to draw what it serves.
    private static let longestRest = Duration.seconds(30)

    private let origin: DemoOrigin
    private let live = Locked(Live())
    private let bell = Doorbell()

    init(_ origin: DemoOrigin) { self.origin = origin }

    /// Learns which receipts and tasks the feed's requests became, and when the indicator goes out.
    var listener: EventListener {
        EventListener([.requests, .session]) { [self] event in
            switch event.kind {
            case .requestSubmitted(let news):
                let path = String(news.url.dropFirst(origin.baseURL.count))
                live.withLock { live in
                    if let receipt = news.receipt { live.receipts[path] = receipt }
                    if let task = news.task { live.tasks[path] = task }
                }
            case .indicatorChanged(_, .notActive, _):
                live.withLock { $0.hasGoneOut = true }
                bell.ring()
            default: break
            }
        }
    }

    func start(_ session: Session) {
        let pool = BlockingPool(threads: 1)
        pool.add(.normal) { [self] in
            play(session)
            pool.close()
        }
    }

    func end() {
        live.withLock { $0.isOver = true }
        bell.ring()
    }

    private func play(_ session: Session) {
        var begun = MonotonicClock.now()
        var steps = script
        while true {
            for (time, step) in steps {
                guard sleep(until: begun + .milliseconds(Int64(time * 1000))) else { return }
                if case .rest = step {
                    let came = MonotonicClock.now()
                    guard sleep(until: came + Self.longestRest, orUntil: { $0.hasGoneOut }) else { return }
                    begun = begun + (MonotonicClock.now() - came)
                } else {
                    perform(step, session)
                }
            }
            begun = begun + .milliseconds(Int64(Self.period * 1000))
            steps = script.filter { $0.time >= 6 }.map { time, step in
                guard time < Self.reloads, case .ask(let paths) = step else { return (time, step) }
                return (time, .reload(paths))
            }
        }
    }

    /// - Returns: Whether the feed goes on.
    private func sleep(until due: Timestamp, orUntil isDone: (Live) -> Bool = { _ in false }) -> Bool {
        while true {
            let state = live.withLock { $0 }
            if state.isOver { return false }
            let remaining = due - MonotonicClock.now()
            if remaining <= .zero || isDone(state) { return true }
            var watched = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&watched, 1, Int32(remaining.nanoseconds / 1_000_000 + 1)) > 0 { bell.answer() }
        }
    }

    private func perform(_ step: Step, _ session: Session) {
        switch step {
        case .ask(let paths): submit(paths, .standard, session)
        case .reload(let paths): submit(paths, RequestOptions(policy: .reload), session)
        case .revalidate(let paths): submit(paths, RequestOptions(policy: .revalidate, priority: .high), session)
        case .cancel(let path):
            if let receipt = live.withLock({ $0.receipts[path] }) { session.pipeline.send(.cancel(receipt)) }
        case .abort(let path):
            if let task = live.withLock({ $0.tasks[path] }) { session.pipeline.send(.steer(.abort, .task(task))) }
        case .rest: break
        }
    }

    private func submit(_ paths: [String], _ options: RequestOptions, _ session: Session) {
        let requests = paths.map { DownloadRequest(origin.baseURL + $0, options: options, source: .feed) }
        session.pipeline.send(.submit(requests))
    }

    /// Seconds and steps; the first act ends early, so that the indicator is seen going out.
    private var script: [(time: Double, step: Step)] {
        let photos = paths(.picture, in: "/photos/")
        let space = paths(.picture, in: "/space/")
        let covers = paths(.picture, in: "/covers/")
        let tiles = paths(.tile, in: "/")
        let animations = paths(.animation, in: "/")
        return [
            (0.4, .ask(Array(covers.prefix(2)))),
            (5.9, .rest),
            (6.0, .ask(Array(photos.prefix(6)))),
            (7.0, .ask([photos[0], photos[0], photos[1]])),
            (8.0, .cancel(photos[1])),
            (8.5, .ask(Array(tiles.prefix(8)) + tiles.prefix(3) + covers.prefix(4))),
            (9.0, .abort(photos[2])),
            (10.0, .ask(["/flaky/weather-map.jpg", "/archive/lost-postcard.jpg", "/stream/webcam.jpg"])),
            (10.5, .revalidate(Array(covers.prefix(2)))),
            (13.0, .abort(tiles[7 % tiles.count])),
            (15.0, .ask(["/files/satellite-raw.bin", "/files/satellite-raw.bin"] + space)),
            (20.0, .ask(["/members/portrait.jpg", "/old/dunes.jpg", "/scans/damaged-slide.png"])),
            (24.0, .ask(Array(photos.suffix(6)) + animations)),
            (29.0, .ask([covers[0], covers[1], photos[0]])),
            (34.0, .ask(["/flaky/panorama.jpg", "/files/map-tiles.tar"] + covers.dropFirst(4))),
            (40.0, .ask(Array(photos.dropFirst(6).prefix(6)) + tiles.dropFirst(8))),
            (46.0, .ask([photos[2], photos[3], space[0]])),
        ]
    }

    private func paths(_ kind: DemoResource.Kind, in folder: String) -> [String] {
        origin.resources.filter { $0.kind == kind && $0.path.hasPrefix(folder) }.map(\.path)
    }
}
