internal import Glibc
public import SluiceCore

/// What views of images need beside a submit: the file of an earlier save, and what arrived so far.
extension ImagePipeline {
    /// Between two sketches of a task.
    static let sketchInterval: Duration = .milliseconds(250)
    /// Bodies larger than this are not read again and again while they arrive, in bytes.
    private static let sketchLimit = 33_554_432

    /// Decodes the file that this session saved for a URL; touches no cache, and never the network.
    ///
    /// - Parameters:
    ///   - url: As it was submitted.
    ///   - completion: Hears the image, or `notCached` if there is no such file, on a thread of the pool or the loop's.
    public nonisolated func readSaved(
        _ url: String,
        completion: @escaping @Sendable (Result<DecodedImage, DownloadError>) -> Void
    ) {
        post { $0.savedReads.append((url, completion)) }
    }

    func readSaved(_ read: Inbox.SavedRead) {
        let missing = DownloadError(.notCached, "neither in memory nor saved by this session")
        guard phase != .ending, phase != .ended else { return read.completion(.failure(.cancelled)) }
        let known: SavedFile?
        do throws(DownloadError) {
            let url = try RequestURL(read.url)
            // What was asked for with headers or credentials has another key, and is the same picture.
            known = saved[MergeKey(url: url.url)] ?? saved.first { $0.key.url == url.url }?.value
        } catch {
            return read.completion(.failure(error))
        }
        guard let known, let files, files.isIntact(known) else { return read.completion(.failure(missing)) }
        guard known.size <= Self.decodeLimit else {
            return read.completion(.failure(DownloadError(.tooLarge, "the file is too large to be shown")))
        }
        let (decoder, maxPixels) = (decoder, settings.maxPixels)
        pool.add(.low) {
            let descriptor = unsafe open(known.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return read.completion(.failure(missing)) }
            let job = DecodeJob(
                descriptor: descriptor,
                bytes: [],
                count: known.size,
                decoder: decoder,
                maxPixels: maxPixels
            )
            read.completion(job.run())
        }
    }

    // MARK: Sketches

    /// Looks at the image of a task while it is loaded, or at none.
    func observe(_ task: TaskID?) {
        sketching.task = task
    }

    /// Decodes what arrived of the observed task, if that is more than the last time.
    ///
    /// One at a time, and always of the newest bytes.
    func sketch() {
        guard let publishSketch, !sketching.isRunning, let id = sketching.task,
            case .active(let transfer)? = scheduler.task(id)?.phase, let active = transfers[transfer],
            active.step == .receiving, let format = active.body.format, format == .jpeg || format == .png
        else { return }
        let count = active.body.count
        let isNew = sketching.transfer != transfer || count > sketching.count
        guard isNew, count <= Self.sketchLimit, sketching.at.map({ now - $0 >= Self.sketchInterval }) ?? true else {
            return
        }
        var (bytes, descriptor) = ([UInt8](), Int32(-1))
        if let file = active.body.file, let files {
            do throws(DownloadError) { descriptor = try files.descriptor(of: file) } catch { return }
        } else {
            bytes = active.body.bytes
        }
        (sketching.isRunning, sketching.transfer, sketching.count, sketching.at) = (true, transfer, count, now)
        let job = SketchJob(
            descriptor: descriptor,
            bytes: bytes,
            count: count,
            decoder: decoder,
            maxPixels: settings.maxPixels,
            wish: sketching.wish
        )
        pool.add(.low) { [self] in
            if let bitmap = job.run() { publishSketch(id, bitmap) }
            post { $0.hasSketched = true }
        }
    }

    /// When more of the observed image may be decoded, or `nil`.
    var sketchDeadline: Timestamp? {
        guard publishSketch != nil, !sketching.isRunning, let id = sketching.task, let at = sketching.at,
            case .active(let transfer)? = scheduler.task(id)?.phase, let active = transfers[transfer],
            active.step == .receiving, transfer == sketching.transfer, active.body.count > sketching.count,
            active.body.count <= Self.sketchLimit
        else { return nil }
        return at + Self.sketchInterval
    }

    /// The body of a transfer is complete, or nobody wants it: no sketch of it is worth its time.
    func dropSketch(of transfer: TransferID) {
        guard sketching.transfer == transfer, sketching.isRunning else { return }
        sketching.wish.end()
        sketching.wish = SketchWish()
    }
}

/// Which image is looked at while it is loaded, and how far its last sketch went.
struct Sketching {
    var task: TaskID?
    var isRunning = false
    var transfer: TransferID?
    /// Bytes of the last sketch.
    var count = 0
    var at: Timestamp?
    /// Whether the sketch that runs is still wanted.
    var wish = SketchWish()
}
