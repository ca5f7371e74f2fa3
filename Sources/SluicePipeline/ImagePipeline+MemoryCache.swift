internal import SluiceCore

/// What happens to the memory cache: what it tells of itself, and what is taken out of it.
extension ImagePipeline {
    /// The image of a download, unless the place is that of another's.
    func image(at place: CacheKey, of key: MergeKey) -> DecodedImage? {
        inCache { $0.peek(place) }.flatMap { $0.owner == key ? $0.image : nil }
    }

    /// What images may take before a program without a screen, which is over soon, looks out for pressure, in bytes.
    private static let unwatched = 67_108_864

    /// Watches for pressure once there is something to purge: to end a watch takes the kernel ten milliseconds and more.
    func watchMemory() {
        guard configuration.watchesMemory, case .notYet = memoryWatch, isOpen,
            cache.usage > (configuration.isDashboard ? 0 : Self.unwatched)
        else { return }
        memoryWatch = .tried(MemoryPressure { [weak self] in self?.send(.pressure) })
    }

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
