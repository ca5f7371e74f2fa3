internal import SluiceCore

/// What the image of a task takes decoded, and whether the memory cache has it.
extension TaskDetail {
    /// The row of an image: its cost in the cache where it is known to be there, else what its dimensions come to.
    func memoryFact(of image: ImageInfo) -> Line {
        if let cost = costInMemory {
            let capacity = state.snapshot.memory.capacity
            let share = capacity > 0 ? " of \(Format.limit(capacity).text)" : ""
            return .fact("in memory", .figure(Format.bytes(cost), .bright) + .dim(share + ", decoded"))
        }
        // Of what was not decoded, the dimensions are what the server claims.
        let factors = [image.width, image.height, 4, max(1, image.frames)]
        let cost = factors.reduce(1) { product, factor in
            let (next, isOver) = product.multipliedReportingOverflow(by: factor)
            return isOver ? .max : next
        }
        let isGone = imageKey.map { state.news.newest.hasLost($0) } ?? false
        let words = isGone ? " · not in memory" : " at 4 bytes a pixel"
        return .fact("decoded", .figure(Format.bytes(cost), .bright) + .dim(words))
    }

    /// The image itself, of which thumbnails are other entries; `nil` where the task's merge key is not known.
    ///
    /// A URL alone would be that of others too, who asked for it with headers or as somebody else.
    private var imageKey: CacheKey? { key.map { CacheKey(key: $0) } }

    /// `nil` for what is not in memory, and for what nothing is known of: events tell of the newest images, and
    /// snapshots of the largest.
    private var costInMemory: Int? {
        guard let imageKey else { return nil }
        return state.news.newest.entries.first { $0.change.key == imageKey }?.change.cost
            ?? state.snapshot.largest.first { $0.key == imageKey }?.cost
    }
}
