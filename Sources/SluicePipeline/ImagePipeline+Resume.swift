internal import SluiceCore

/// Continuing what an earlier transfer left.
extension ImagePipeline {
    /// Opens the part of a task, if there is one and it may be continued.
    ///
    /// Its own part is continued where it is, though nobody may want it there any more: whoever is left gets a copy.
    func resumption(of task: DownloadTask, _ wishes: inout TransferBody.Wishes) -> TransferBody.Resumption? {
        guard !parts.isEmpty, wishes.saves, wishes.mayCache, !wishes.allowsPartial, let files,
            let record = parts[task.key.text], let validator = record.validator,
            validator != notebook[task.id].uncontinued
        else { return nil }
        let own = wishes.place
        if !record.destination.hasSameBytes(as: own.name) {
            // A name that is taken is left out then, whatever is there.
            guard parts.isOwn(record.key, of: task.id), own.onExists != .skip else { return nil }
            wishes.place = .init(name: record.destination, onExists: .rename, replaces: ReplaceableFiles())
        }
        var wish = ReopenWish(prefix: ImageFormat.reach)
        wish.least = TransferBody.prefixLength
        wish.directory = directory(of: record)
        // A part that seems whole asks for its last byte again: the answer proves that it is.
        wish.limit = record.total.map { max(0, $0 - 1) }
        if let length = record.length { wish.limit = min(wish.limit ?? length, length) }
        wish.overlap = record.overlap
        let opened = files.reopen(record.location, wish, onExists: wishes.onExists, replaces: wishes.replaces)
        guard let part = opened else {
            wishes.place = own
            return nil
        }
        let plan = RangeResume(
            RangeResume.Part(
                validator: validator,
                total: record.total,
                length: part.length,
                source: record.finalURL
            )
        )
        return TransferBody.Resumption(plan: plan, part: part, first: parts.head(record.key), own: own)
    }

    /// The folder that the user named for a part, instead of the destination directory.
    private func directory(of record: PartRecord) -> String? {
        record.destination.flatMap { DestinationPath.split($0).directory }
    }

    /// Removes the parts of a session that nothing is remembered of: no other one can continue them.
    func dropParts() {
        guard let files else { return }
        for record in parts.all {
            var wish = ReopenWish(prefix: 0)
            wish.directory = directory(of: record)
            // Also where its name is taken, for which other requests would be skipped.
            let part = files.reopen(record.location, wish, onExists: .rename, replaces: ReplaceableFiles())
            if let part { files.discard(part.file) }
        }
        parts.removeAll()
    }

    /// Closes the part file of a transfer that is over too soon, and remembers how to continue it.
    func keepPart(_ active: ActiveTransfer) {
        active.body.keepUndecided()
        guard let file = active.body.file, let files else { return }
        if var record = record(of: active) {
            // Of an answer that did not come, the part is as it was.
            record.length = active.body.fileLength ?? parts[record.key]?.length
            parts.add(record, of: active.task, head: active.body.firstFields)
            keep(.part(record))
            journal.mustSaveNow = true
        } else if let location = active.keptPart {
            keep(.noPart(location))
        } else if journal.keeper == nil {
            // Nobody could continue it, and nobody remembers it.
            return files.discard(file)
        }
        files.keepPart(file)
    }

    /// How the part of a transfer can be continued; `nil` if it can't be, or is not worth it.
    func record(of active: ActiveTransfer) -> PartRecord? {
        guard canContinue(active), let file = active.body.file, let location = files?.location(of: file) else {
            return nil
        }
        return record(active, location, active.body.validator, total: active.body.total)
    }

    /// Whether the part of a transfer can be continued, and is worth it.
    func canContinue(_ active: ActiveTransfer) -> Bool {
        let wishes = active.body.wishes
        guard active.body.file != nil, wishes.mayCache, !wishes.allowsPartial, let validator = active.body.validator
        else { return false }
        return active.body.resumption != nil || active.body.count >= TransferBody.leastCount(validator)
    }

    func record(
        _ active: ActiveTransfer,
        _ location: PartLocation,
        _ validator: EntityValidator?,
        total: Int?
    ) -> PartRecord {
        var record = PartRecord(
            key: active.key.text,
            location: location,
            validator: validator,
            total: total,
            finalURL: source(of: active)
        )
        record.destination = active.body.wishes.name
        return record
    }

    /// Where the bytes of a transfer came from.
    ///
    /// An answer that brought none of them, as an error page, says nothing of that, and may come from another place.
    private func source(of active: ActiveTransfer) -> String {
        let body = active.body
        if let resumption = body.resumption, body.resumedTotal == nil { return resumption.plan.part.source }
        return body.head?.finalURL ?? active.key.url
    }

    /// The part of a transfer became a file, or is of no use any more.
    func forgetPart(_ active: ActiveTransfer) {
        if let location = active.keptPart { keep(.noPart(location)) }
        guard let record = parts[active.key.text] else { return }
        parts[record.key] = nil
        // A part that another process is at is not ours to forget.
        if active.continued?.location == record.location { keep(.noPart(record.location)) }
    }

    /// Says that a part is whole before it gets its name.
    ///
    /// Whatever ends the process then, the next one knows whose file it is, and that nothing is left to do for it. Where
    /// no queue is kept, small files that come fast do not wait for that.
    ///
    /// - Returns: Whether the rest has to wait until that is safe.
    func announceWhole(
        _ transfer: TransferID,
        _ active: ActiveTransfer,
        _ task: DownloadTask,
        _ image: DecodedImage?
    ) -> Bool {
        guard journal.keepsQueue || isWorthKeeping(active) || journal.isCalm(now), journal.keeper != nil,
            !journal.hasFailed, active.step != .publishing, !task.isDetached,
            let file = active.body.file, let location = files?.location(of: file)
        else { return false }
        var record = record(active, location, active.body.validator, total: active.body.count)
        record.isWhole = true
        // What becomes of it if the process ends is a file of the history.
        record.key = active.key.historyText
        active.keptPart = location
        active.step = .publishing
        keep(.part(record))
        journal.mustSaveNow = true
        acknowledge(.publish(transfer, image))
        return true
    }

    func publish(_ transfer: TransferID, _ image: DecodedImage?) {
        guard let active = transfers[transfer], active.step == .publishing else { return }
        attempt(transfer) { () throws(DownloadError) in
            // Who joined meanwhile may want an image, or one of another size.
            if let image {
                try scaleOrSucceed(transfer, image)
            } else if active.decoding == nil, active.body.count <= Self.decodeLimit {
                try decodeOrSucceed(transfer)
            } else {
                try succeed(transfer, image: nil)
            }
        }
    }

    /// Lets a task start over without a range, since what the server sent fits nothing.
    ///
    /// What comes then may be continued if it is of another version. That ends: each part is left by an attempt that
    /// failed, and one that brought no more than those before it counts.
    func askAgain(_ task: DownloadTask, _ active: ActiveTransfer, _ reason: String) {
        notebook[task.id].uncontinued = active.continued?.validator
        forgetPart(active)
        startOver(task.id, .partUnusable(reason: reason))
    }

    /// Records the parts that would be a loss: those that are large, or took long.
    func keepLargeParts() {
        guard journal.keeper != nil, !journal.hasFailed else { return }
        for active in transfers.values where active.step == .receiving {
            let body = active.body
            if now - active.flushed >= Self.longTime {
                active.flushed = now
                if let file = body.file { files?.flush(file) }
            }
            guard active.keptPart == nil, isWorthKeeping(active), let record = record(of: active) else { continue }
            active.keptPart = record.location
            keep(.part(record))
        }
    }

    /// Whether it would take long to bring once more what came.
    func isWorthKeeping(_ active: ActiveTransfer) -> Bool {
        active.body.count >= Self.largePart || now - active.started >= Self.longTime
    }

    private static let largePart = 262_144
    private static let longTime = Duration.seconds(1)
}
