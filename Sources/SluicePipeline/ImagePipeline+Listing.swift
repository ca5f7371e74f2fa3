internal import SluiceCore

/// Questions of a screen that are answered in slices.
struct QueryState {
    var listing: QueueListing?
    var search: QueueSearch?
    var found: QueueSearch.Answer?
    var probe: URLProbe?
    /// What is found out about it so far.
    var counting: URLProbe.Answer?
    /// The last complete one.
    var answer: URLProbe.Answer?
    var seen: Set<MergeKey> = []
    var removal: ImageRemoval.Answer?

    var isBusy: Bool { listing?.isSearching == true || probe != nil }
}

extension ImagePipeline {
    /// URLs of a probe in one turn.
    private static let slice = 128

    func watch(_ window: QueueWindow) {
        self.window = window.clamped
        if window.filter.isEmpty {
            queries.listing = nil
        } else if queries.listing?.filter != window.filter {
            queries.listing = QueueListing(window.filter, version: scheduler.queueVersion)
        }
    }

    func probe(_ probe: URLProbe) {
        queries.probe = probe
        queries.counting = URLProbe.Answer(serial: probe.serial)
        queries.seen = []
    }

    /// Gives every question its slice of the turn.
    func serveQueries() {
        if phase == .ending || phase == .ended { return }
        serveListing()
        serveProbe()
    }

    var queryDeadline: Timestamp? { queries.listing?.deadline(version: scheduler.queueVersion) }

    private func serveListing() {
        guard queries.listing != nil else {
            if let search = queries.search { answer(search, nil) }
            return
        }
        queries.listing?.renew(version: scheduler.queueVersion, now: now)
        if queries.listing?.search(scheduler, now: now) == true {
            snapshots.isDirty = true
            if queries.listing?.isSearching == false { snapshots.mustPublish = true }
        }
        if let search = queries.search, let listing = queries.listing, listing.isComplete {
            answer(search, position(search, in: listing.matches))
        }
    }

    private func answer(_ search: QueueSearch, _ position: Int?) {
        queries.search = nil
        queries.found = QueueSearch.Answer(serial: search.serial, position: position)
        snapshots.mustPublish = true
    }

    private func position(_ search: QueueSearch, in matches: [TaskID]) -> Int? {
        let positions = matches.lazy.compactMap { self.scheduler.position(of: $0) }
        if search.isBackward { return positions.last { $0 < search.from } ?? positions.last { _ in true } }
        return positions.first { $0 > search.from } ?? positions.first { _ in true }
    }

    /// The rows of the window: of the queue, or of what matches.
    func windowRows() -> (rows: [DownloadTask], from: Int, matches: Int?) {
        guard let listing = queries.listing, window.isNarrowed else {
            let last = max(1, scheduler.queuedCount - window.count + 1)
            let from = min(window.from, last)
            return (scheduler.queued(from: from, count: window.count), from, nil)
        }
        let count = listing.matches.count
        let from = min(window.from, max(1, count - window.count + 1))
        let tasks = listing.matches.dropFirst(from - 1).prefix(window.count).compactMap { scheduler.task($0) }
        let rows = tasks.filter { $0.phase == .queued }
        // Those that left since are no rows: where the window holds the end, the last row is the last there.
        return (rows, from, from - 1 + window.count < count ? count : from - 1 + rows.count)
    }

    private func serveProbe() {
        guard let probe = queries.probe, var answer = queries.counting else { return }
        for request in probe.requests[answer.checked...].prefix(Self.slice) {
            answer.checked += 1
            let url: RequestURL
            do throws(DownloadError) {
                url = try RequestURL(request.url)
            } catch {
                answer.invalid += 1
                continue
            }
            guard !request.options.isUnmergeable else { continue }
            let key = mergeKey(url, request.options, credentials(for: url))
            if scheduler.liveTask(for: key) != nil || !queries.seen.insert(key).inserted { answer.merging += 1 }
        }
        queries.counting = answer
        guard answer.checked == probe.requests.count else { return }
        (queries.probe, queries.counting, queries.seen) = (nil, nil, [])
        queries.answer = answer
        (snapshots.isDirty, snapshots.mustPublish) = (true, true)
    }
}
