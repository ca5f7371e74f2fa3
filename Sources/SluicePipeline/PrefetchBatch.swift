internal import SluiceCore

/// A batch of prefetched URLs and how far it is.
///
/// Each URL counts once. What names the batch when all its requests were there is none of them.
struct PrefetchBatch {
    let total: Int
    private(set) var finished = 0
    /// Those that a cache held.
    private(set) var skipped = 0
    /// What it waits for.
    private(set) var receipts: Set<ReceiptID> = []
    /// Requests that had a receipt or an answer at once. `0...total`
    private var submitted = 0

    var isEnded: Bool { finished + skipped >= total }

    init(total: Int) { self.total = total }

    /// A request got a receipt.
    mutating func add(_ receipt: ReceiptID) {
        if takesOne() { receipts.insert(receipt) }
    }

    /// A request has its outcome; without a receipt, at once.
    ///
    /// - Returns: Whether it is one of the batch that did not count yet.
    mutating func count(_ receipt: ReceiptID?, wasCached: Bool) -> Bool {
        guard receipt.map({ receipts.remove($0) != nil }) ?? takesOne() else { return false }
        if wasCached { skipped += 1 } else { finished += 1 }
        return true
    }

    private mutating func takesOne() -> Bool {
        guard submitted < total else { return false }
        submitted += 1
        return true
    }
}
