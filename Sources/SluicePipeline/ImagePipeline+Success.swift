internal import SluiceCore

/// From the last byte of a body to its file, its image and its place in the caches.
extension ImagePipeline {
    /// Files larger than this are not decoded, in bytes.
    static let decodeLimit = 268_435_456

    func finishBody(_ transfer: TransferID) throws(DownloadError) {
        dropSketch(of: transfer)
        guard let active = transfers[transfer] else { return }
        guard try active.body.complete() else {
            transfers[transfer]?.step = .writing
            return
        }
        try checkSum(transfer)
    }

    /// Compares the body with the sum that the user expects, off the loop where it is a file.
    func checkSum(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer], let wanted = active.body.wishes.sha256, active.hasBodyToSum else {
            try decodeOrSucceed(transfer)
            return
        }
        if let sum = active.body.sha256 {
            try judge(sum, wanted)
            try decodeOrSucceed(transfer)
            return
        }
        guard let file = active.body.file, let files, let task = scheduler.task(active.task) else { return }
        let job = ChecksumJob(descriptor: try files.descriptor(of: file), count: active.body.count)
        active.step = .decoding
        pool.add(task.priority) { [self] in
            let result = job.run()
            post(.summed(transfer, result))
        } dropped: {
            job.drop()
        }
    }

    private func judge(_ sum: String, _ wanted: String) throws(DownloadError) {
        guard sum != wanted else { return }
        throw DownloadError(
            .badChecksum,
            "the body has the SHA-256 \(sum), not \(wanted) as asked; ask whoever published the sum"
        )
    }

    func summed(_ transfer: TransferID, _ result: Result<String, DownloadError>) {
        guard let active = transfers[transfer], active.step == .decoding, let wanted = active.body.wishes.sha256 else {
            return
        }
        attempt(transfer) { () throws(DownloadError) in
            try judge(try result.get(), wanted)
            try decodeOrSucceed(transfer)
        }
    }

    func decodeOrSucceed(_ transfer: TransferID) throws(DownloadError) {
        guard let active = transfers[transfer] else { return }
        guard active.body.isToBeDecoded, let task = scheduler.task(active.task), isInDecodeLimit(active.body, task.id)
        else {
            try succeed(transfer, image: nil)
            return
        }
        let job = try decodeJob(of: active.body)
        decode(transfer, active, task, job)
    }

    /// Whether a body is small enough to make an image of it; warns if not.
    private func isInDecodeLimit(_ body: TransferBody, _ task: TaskID) -> Bool {
        if body.count <= Self.decodeLimit { return true }
        let message = "an image file of \(body.count) bytes is too large to decode and stays a file"
        warn(.notDecoded, message, task: task)
        return false
    }

    private func decode(_ transfer: TransferID, _ active: ActiveTransfer, _ task: DownloadTask, _ job: DecodeJob) {
        active.step = .decoding
        active.beginDecoding(now)
        pool.add(task.priority) { [self] in
            let result = job.run()
            post(.decoded(transfer, result))
        } dropped: {
            job.drop()
        }
    }

    /// Makes the image of a body that is in its file, for a request that joined on the way there.
    ///
    /// - Returns: Whether the rest has to wait for it; what can't be read there any more is fetched once more.
    private func decodeLate(
        _ transfer: TransferID,
        _ active: ActiveTransfer,
        _ task: DownloadTask,
        _ published: SavedFile
    ) -> Bool {
        guard active.mustDecode, inScheduler({ $0.hasReceipt(of: task.id) { $0.options.thumbnail != nil } }) else {
            return false
        }
        active.mustDecode = false
        guard active.body.isToBeDecoded, isInDecodeLimit(active.body, task.id) else { return false }
        guard active.body.wishes.keepsFiles,
            let reader = StoredBodyReader.open(.file(published), size: active.body.count).reader
        else {
            active.mustFetchAgain = true
            return fetchAgain(transfer, active, task)
        }
        decode(transfer, active, task, decodeJob(of: active.body, in: reader.descriptor))
        return true
    }

    /// Decodes a whole body, from its file where it has one; the job closes what it opens here.
    func decodeJob(of body: TransferBody) throws(DownloadError) -> DecodeJob {
        var descriptor: Int32 = -1
        if let file = body.file, let files { descriptor = try files.descriptor(of: file) }
        return decodeJob(of: body, in: descriptor)
    }

    private func decodeJob(of body: TransferBody, in descriptor: Int32) -> DecodeJob {
        DecodeJob(
            descriptor: descriptor,
            bytes: body.bytes,
            count: body.count,
            decoder: decoder,
            maxPixels: settings.maxPixels
        )
    }

    func decoded(_ transfer: TransferID, _ result: Result<DecodedImage, DownloadError>) {
        guard let active = transfers[transfer], active.step == .decoding else { return }
        active.endDecoding(now)
        attempt(transfer) { () throws(DownloadError) in
            switch result {
            case .success(let image): try scaleOrSucceed(transfer, image)
            case .failure(let error) where error.code == .unsupported: try succeed(transfer, image: nil)
            case .failure(let error) where active.published != nil:
                // Others have their files already, which are no worse than without a request for an image.
                let message = "the file is there, but no image could be made of it: \(error.message)"
                warn(.notDecoded, message, task: active.task)
                try succeed(transfer, image: nil)
            case .failure(let error): throw error
            }
        }
    }

    func succeed(_ transfer: TransferID, image: DecodedImage?) throws(DownloadError) {
        guard let active = transfers[transfer], let task = inScheduler({ $0.task(active.task) }) else { return }
        if fetchAgain(transfer, active, task) { return }
        if let published = active.published {
            conclude(transfer, active, task, .file(published), image)
            return
        }
        if active.body.isUnsaved, !task.isDetached {
            // Somebody who wants a file joined while the image was decoded.
            try finishBody(transfer)
            return
        }
        if announceWhole(transfer, active, task, image) { return }
        guard let part = active.body.file, let files else {
            conclude(transfer, active, task, .bytes(active.body.bytes), image)
            return
        }
        // Who wanted a file may have left others who don't.
        if !inScheduler({ $0.hasReceipt(of: task.id, where: \.options.saves) }) {
            let stored = storableBody(of: part, active)
            files.discard(part)
            forgetPart(active)
            conclude(transfer, active, task, stored, image)
            return
        }
        let publication = publication(of: active.body, task.id)
        if image == nil, publication == .final,
            files.save(part, lastModified: active.body.lastModified, for: { reserve(active) })
        {
            active.step = .saving
        } else {
            let published = try files.publish(part, as: publication, lastModified: active.body.lastModified)
            conclude(transfer, active, task, .file(published), image)
        }
    }

    /// Takes what the writer thread made of a small body.
    func saved(_ transfer: TransferID, _ active: ActiveTransfer, _ file: SavedFile) {
        guard active.step == .saving, let task = inScheduler({ $0.task(active.task) }) else { return }
        if active.mustFetchAgain { know(file, of: active.body, for: task.key) }
        if fetchAgain(transfer, active, task) { return }
        conclude(transfer, active, task, .file(file), nil)
    }

    /// Runs a task once more, for a request that joined too late to get what it wants.
    private func fetchAgain(_ transfer: TransferID, _ active: ActiveTransfer, _ task: DownloadTask) -> Bool {
        guard active.mustFetchAgain,
            scheduler.receipts(of: task.id).contains(where: { $0.options.saves || $0.options.thumbnail != nil })
        else { return false }
        startOver(task.id, .bytesWanted)
        retire(transfer)
        return true
    }

    /// Goes on with a task whose receipts have their copies.
    func copiesAreMade(for transfer: TransferID, _ image: DecodedImage?) {
        guard let active = transfers[transfer], active.step == .copying else { return }
        // Who joined meanwhile may want a thumbnail too.
        attempt(transfer) { () throws(DownloadError) in
            if let image { try scaleOrSucceed(transfer, image) } else { try succeed(transfer, image: nil) }
        }
    }

    /// Ends a task whose body is where it belongs, once every receipt has what it wants of it.
    private func conclude(
        _ transfer: TransferID,
        _ active: ActiveTransfer,
        _ task: DownloadTask,
        _ body: ResponseBody,
        _ image: DecodedImage?
    ) {
        var (file, body) = (SavedFile?.none, body)
        var unwanted: SavedFile?
        if case .file(let published) = body {
            if active.published == nil {
                active.published = published
                countSaved(published)
                know(published, of: active.body, for: task.key)
            }
            if decodeLate(transfer, active, task, published) { return }
            let (name, usualName) = (active.body.wishes.name, active.body.usualName)
            let next = DestinationCopies.Next.transfer(transfer, image)
            if beginCopies(published, named: name, usually: usualName, for: task.id, next: next) {
                active.step = .copying
                return
            }
            // Until then the next process finds what this one did not come to copy.
            forgetPart(active)
            let kept = self.file(of: task, savedAs: published, active.body)
            (file, body) = (kept, .file(kept))
            if isUnwanted(kept, task, active.body) { (file, unwanted) = (nil, kept) }
        }
        warnOfName(active.body, task.id)
        if let format = active.body.format, !format.isDecodable {
            warn(.notDecoded, "\(format.rawValue) is kept as data, since it is not decoded", task: task.id)
        } else if active.body.isOtherImage {
            warn(.notDecoded, "\(active.body.shownType) is kept as data, since it is not known", task: task.id)
        }
        if active.body.wishes.mayCache {
            if let image, active.body.isCurrent {
                store(image, active.thumbnails, of: task, isNews: true, isFromNetwork: true)
            } else {
                dropImages(of: task.key)
            }
        }
        let info = image?.info ?? active.body.wholeInfo
        let stored = keepResponse(active, task, body: body)
        if let unwanted { giveUp(unwanted, task.key) }
        if file == nil {
            if active.body.wishes.mayCache { knownFiles.outdate(task.key) }
        } else if let stored {
            knownFiles.note(task.key, from: stored, image: info)
        }
        counts.succeeded += 1
        var end = self.end(of: task, .success)
        // A refusal that says that the part is whole is no status of what is there.
        end.status = active.body.isOfErrorPage ? 200 : active.head?.status
        (end.bytes, end.file) = (active.body.count, file?.path)
        end.image = info
        let files = copies.granted(of: task.id)
        finish(transfer, of: task, Delivery(end, image: image, thumbnails: active.thumbnails, files: files))
    }

    /// Says why a file is not where it was expected, once the task succeeds.
    func warnOfName(_ body: TransferBody, _ task: TaskID) {
        if let warning = body.warning { warn(body.hasSkipped ? .skipped : .name, warning, task: task) }
    }

    /// Counts a file that this session made, before it is known; one that it made there before was replaced.
    func countSaved(_ file: SavedFile) {
        if let earlier = knownFiles.key(ofPath: file.path)?.file {
            counts.savedBytes -= earlier.size
        } else {
            counts.saved += 1
        }
        counts.savedBytes += file.size
    }
}
