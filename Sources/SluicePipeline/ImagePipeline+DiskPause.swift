internal import SluiceCore

/// A full disk: the queue waits for room, and loses nothing.
extension ImagePipeline {
    /// Whether nothing new may start, by the user's wish or for lack of room.
    var isSuspended: Bool { settings.suspended || diskPause.needed != nil }

    /// Puts the task of a transfer that found no room back, and stops the queue.
    func waitForRoom(_ task: DownloadTask, _ active: ActiveTransfer, _ error: DownloadError) {
        let (expected, received) = (active.head?.expected ?? 0, active.body.count)
        // The room of a part that can't be continued is needed once more.
        let missing = canContinue(active) ? expected - received : max(expected, received)
        stopForRoom(task.id, missing: missing, error)
        startOver(task.id, .noRoom)
    }

    /// Puts a task back whose stored body found no room, and stops the queue; the origin is asked when there is some.
    ///
    /// - Returns: `false` if the origin must not be asked: then the task can only fail.
    func waitForRoom(_ task: DownloadTask, _ answer: DiskAnswer, _ error: DownloadError) -> Bool {
        guard !mayNotFetch(task.id) else { return false }
        if let transfer = answer.transfer {
            guard let active = transfers[transfer] else { return false }
            dropAnswer(task.id)
            waitForRoom(task, active, error)
            retire(transfer)
            return true
        }
        stopForRoom(task.id, missing: answer.response.size - answer.body.count, error)
        dropAnswer(task.id)
        scheduler.fetchAfterAll(task.id)
        changed(task.id, .queued, reason: .noRoom)
        return true
    }

    /// Stops the queue, and names each task that it waits for from now on.
    private func stopForRoom(_ task: TaskID, missing: Int, _ error: DownloadError) {
        let saver = scheduler.receipts(of: task).first(where: \.options.saves)
        let folder = saver.flatMap(Self.absoluteFolder)
        if diskPause.foundNoRoom(for: task, missing: max(0, missing), in: folder, now: now) {
            warn(.diskFull, "\(error.message); the queue is paused until there is room", task: task)
        }
        scheduler.isSuspended = isSuspended
        snapshots.mustPublish = true
    }

    /// Where a request wants its file; `nil` is the destination of all.
    private static func absoluteFolder(of receipt: Receipt) -> String? {
        receipt.options.destination.flatMap { DestinationPath.split($0).directory }
    }

    /// Whether a task still waits for room in a folder: who wanted it may have left, and others want their file elsewhere.
    private func waitsForRoom(_ task: TaskID, in folder: String?) -> Bool {
        guard scheduler.task(task)?.phase == .queued else { return false }
        return inScheduler { $0.hasReceipt(of: task) { $0.options.saves && Self.absoluteFolder(of: $0) == folder } }
    }

    /// Looks whether there is room again, if it is time to.
    func lookForRoom() {
        guard let due = diskPause.nextLook, due <= now else { return }
        guard diskPause.looked(free: files?.freeSpace(in: diskPause.folder), now: now) else { return }
        goOn("there is room on the disk again")
    }

    /// Lets the queue go on where nothing that found no room stands in it any more.
    func forgetWhoWaitsForRoomNoMore() {
        guard let needed = diskPause.needed else { return }
        if diskPause.keep(where: waitsForRoom) {
            goOn("nothing waits for room on the disk any more")
        } else if diskPause.needed != needed {
            snapshots.mustPublish = true
        }
    }

    /// Looks in this turn or the next, since somebody wants the queue to go on.
    func lookForRoomAtOnce() { diskPause.lookAtOnce(now: now) }

    private func goOn(_ why: String) {
        warn(.diskSpace, "\(why): the queue \(settings.suspended ? "is suspended still" : "goes on")", task: nil)
        scheduler.isSuspended = isSuspended
        snapshots.mustPublish = true
    }
}
