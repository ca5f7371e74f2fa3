internal import SluiceCore

/// What happens to the memory cache: what it tells of itself, and what is taken out of it.
extension ImagePipeline {
    func report(_ purge: CachePurge?) {
        guard let purge else { return }
        snapshots.mustPublish = true
        emit(.cache) { .cachePurged(purge) }
    }

    func removeImages(_ removal: ImageRemoval) {
        let changes = cache.removeAll(ofURLs: Set(removal.urls))
        for change in changes { report(change) }
        queries.removal = ImageRemoval.Answer(
            serial: removal.serial,
            removed: Set(changes.map(\.key.url)).count,
            freed: changes.reduce(0) { $0 + $1.cost }
        )
    }

    func report(_ change: CacheChange) {
        snapshots.isDirty = true
        emit(.cache) { .cacheChanged(change) }
    }
}
