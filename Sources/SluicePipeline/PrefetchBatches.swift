internal import SluiceCore

/// The batches of prefetched URLs that are not done; one that is leaves nothing behind.
struct PrefetchBatches {
    private var batches: [BatchID: PrefetchBatch] = [:]
    private var last = 0

    var isEmpty: Bool { batches.isEmpty }

    /// Begins a batch of so many URLs; one of none is done at once.
    mutating func begin(_ total: Int) -> BatchID {
        last += 1
        let batch = PrefetchBatch(total: total)
        if !batch.isEnded { batches[BatchID(last)] = batch }
        return BatchID(last)
    }

    /// A request of a batch got a receipt.
    mutating func add(_ receipt: ReceiptID, to batch: BatchID) { batches[batch]?.add(receipt) }

    /// What a batch waits for, the oldest first.
    func receipts(of batch: BatchID) -> [ReceiptID] { batches[batch]?.receipts.sorted() ?? [] }

    /// Counts a URL that a cache held, or that has its outcome.
    ///
    /// - Parameters:
    ///   - batch: Of the URL.
    ///   - receipt: `nil` if it never got one.
    ///   - wasCached: Whether a cache held it.
    /// - Returns: How far the batch is; `nil` if it is done already, or does not wait for that URL.
    mutating func count(in batch: BatchID, _ receipt: ReceiptID?, wasCached: Bool) -> PrefetchBatch? {
        // Changed in place: a copy would duplicate the set of its receipts.
        guard batches[batch]?.count(receipt, wasCached: wasCached) == true, let state = batches[batch] else {
            return nil
        }
        if state.isEnded { batches[batch] = nil }
        return state
    }
}
