internal import SluiceCore

/// A full disk: the queue waits for room, and loses nothing.
extension ImagePipeline {
    /// Whether nothing new may start, by the user's wish or for lack of room.
    var isSuspended: Bool { settings.suspended || diskPause.needed != nil }

    /// Puts the task of a transfer that found no room back, and stops the queue.
    func waitForRoom(_ task: DownloadTask, _ active: ActiveTransfer, _ error: DownloadError) {
        let missing = max(0, (active.head?.expected ?? 0) - active.body.count)
        if diskPause.foundNoRoom(missing: missing, now: now) {
            warn("diskFull", "\(error.message); the queue is paused until there is room", task: task.id)
        }
        scheduler.isSuspended = isSuspended
        let why = Why.note("the disk is full")
        reasons[task.id] = why
        scheduler.wait(task.id, until: now, delay: .zero, counts: false)
        changed(task.id, .waiting, reason: why, until: now, delay: .zero)
        snapshots.mustPublish = true
    }

    /// Looks whether there is room again, if it is time to.
    func lookForRoom() {
        guard let due = diskPause.nextLook, due <= now else { return }
        guard diskPause.looked(free: files?.freeSpace, now: now) else { return }
        warn("diskSpace", "there is room on the disk again: the queue goes on", task: nil)
        scheduler.isSuspended = isSuspended
        snapshots.mustPublish = true
    }
}
