internal import SluiceCore

/// A batch of prefetched URLs and how far it is.
struct PrefetchBatch {
    var total: Int
    var finished = 0
    /// Those that a cache held.
    var skipped = 0
    var receipts: Set<ReceiptID> = []
    var isEnded: Bool { finished + skipped >= total }
}
