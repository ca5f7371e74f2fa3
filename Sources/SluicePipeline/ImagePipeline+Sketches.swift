internal import SluiceCore

/// What arrived so far of images that somebody looks at while they are loaded.
extension ImagePipeline {
    /// Between two sketches of a task.
    private static let sketchInterval: Duration = .milliseconds(250)
    /// Several that are observed have their turns within one interval, as far as so many fit.
    private static let sketchTurns = 4
    /// Bodies larger than this are not read again and again while they arrive, in bytes.
    private static let sketchLimit = 33_554_432

    /// Looks at the images of these tasks while they are loaded.
    func observe(_ tasks: [TaskID]) {
        sketching.tasks = tasks
        // Who comes back to an image sees at once what is there of it, even if no more arrives.
        let seen = Set(tasks.compactMap { receiving($0)?.transfer })
        sketching.done = sketching.done.filter { seen.contains($0.key) }
    }

    /// Decodes what arrived of the observed task that waits longest, if that is more than the last time.
    ///
    /// One at a time, and always of the newest bytes.
    func sketch() {
        guard let publishSketch, sketching.running == nil, !sketching.tasks.isEmpty,
            sketching.at.map({ now - $0 >= sketchGap }) ?? true, let (task, transfer, active, due) = nextSketch(),
            due <= now
        else { return }
        let body = active.body
        let count = body.count
        // Also where its file can't be read: then the next bytes are waited for.
        sketching.done[transfer] = Sketching.Done(count: count, at: now)
        var (bytes, descriptor) = ([UInt8](), Int32(-1))
        if let file = body.file, let files {
            do throws(DownloadError) { descriptor = try files.descriptor(of: file) } catch { return }
        } else {
            bytes = body.bytes
        }
        (sketching.running, sketching.at) = (transfer, now)
        let job = SketchJob(
            descriptor: descriptor,
            bytes: bytes,
            count: count,
            decoder: decoder,
            maxPixels: settings.maxPixels,
            wish: sketching.wish
        )
        pool.add(.low) { [self] in
            if let bitmap = job.run() { publishSketch(task, bitmap) }
            post(.sketched)
        } dropped: {
            job.drop()
        }
    }

    /// When more of an observed image may be decoded, or `nil`.
    var sketchDeadline: Timestamp? {
        guard publishSketch != nil, sketching.running == nil, let next = nextSketch() else { return nil }
        return sketching.at.map { max(next.due, $0 + sketchGap) } ?? next.due
    }

    /// The body of a transfer is complete, or nobody wants it: no sketch of it is worth its time.
    func dropSketch(of transfer: TransferID) {
        if sketching.done.isEmpty, sketching.running == nil { return }
        sketching.done[transfer] = nil
        guard sketching.running == transfer else { return }
        sketching.wish.end()
        sketching.wish = SketchWish()
    }

    /// Between two sketches of whatever tasks.
    private var sketchGap: Duration { Self.sketchInterval / max(1, min(Self.sketchTurns, sketching.tasks.count)) }

    /// The observed image of which more arrived than its last sketch showed, and when it may have another.
    private func nextSketch() -> (task: TaskID, transfer: TransferID, active: ActiveTransfer, due: Timestamp)? {
        var next: (task: TaskID, transfer: TransferID, active: ActiveTransfer, due: Timestamp)?
        for task in sketching.tasks {
            guard let (transfer, active) = receiving(task) else { continue }
            let done = sketching.done[transfer]
            guard active.body.count > done?.count ?? 0 else { continue }
            let due = done.map { $0.at + Self.sketchInterval } ?? Timestamp(nanoseconds: 0)
            if next.map({ due < $0.due }) ?? true { next = (task, transfer, active, due) }
        }
        return next
    }

    /// The transfer of a task that brings an image which can be sketched.
    private func receiving(_ task: TaskID) -> (transfer: TransferID, active: ActiveTransfer)? {
        guard case .active(let transfer)? = scheduler.task(task)?.phase, let active = transfers[transfer],
            active.step == .receiving, let format = active.body.format, format == .jpeg || format == .png,
            active.body.count <= Self.sketchLimit
        else { return nil }
        return (transfer, active)
    }
}

/// Which images are looked at while they are loaded, and how far the last sketch of each went.
struct Sketching {
    /// The last sketch of a transfer.
    struct Done {
        /// In bytes.
        var count: Int
        var at: Timestamp
    }

    var tasks: [TaskID] = []
    /// What is decoded now.
    var running: TransferID?
    /// Of observed transfers only.
    var done: [TransferID: Done] = [:]
    /// When the last one began, whatever it was of.
    var at: Timestamp?
    /// Whether the sketch that runs is still wanted.
    var wish = SketchWish()
}
