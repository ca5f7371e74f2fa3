import SluiceCore
import Testing

@testable import SluicePipeline

struct PrefetchBatchesTests {
    @Test func aBatchIsDoneWhenEachOfItsURLsIsCounted() {
        var batches = PrefetchBatches()
        let (first, second) = (batches.begin(3), batches.begin(1))
        #expect(first != second)
        for receipt in [2, 1] { batches.add(ReceiptID(receipt), to: first) }
        #expect(batches.receipts(of: first) == [ReceiptID(1), ReceiptID(2)] && batches.receipts(of: second).isEmpty)

        let cached = batches.count(in: first, nil, wasCached: true)
        #expect(cached?.skipped == 1 && cached?.finished == 0 && cached?.isEnded == false)
        _ = batches.count(in: first, ReceiptID(2), wasCached: false)
        #expect(batches.receipts(of: first) == [ReceiptID(1)])
        let last = batches.count(in: first, ReceiptID(1), wasCached: false)
        #expect(last?.skipped == 1 && last?.finished == 2 && last?.isEnded == true)

        #expect(batches.count(in: first, nil, wasCached: false) == nil)
        _ = batches.count(in: second, nil, wasCached: false)
        #expect(batches.isEmpty)
    }

    @Test func whatNamesABatchWhoseRequestsAreThereIsNoneOfThem() {
        var batches = PrefetchBatches()
        let batch = batches.begin(2)
        for receipt in [1, 2] { batches.add(ReceiptID(receipt), to: batch) }
        #expect(batches.count(in: batch, ReceiptID(1), wasCached: false)?.finished == 1)

        batches.add(ReceiptID(3), to: batch)
        #expect(batches.receipts(of: batch) == [ReceiptID(2)])
        #expect(batches.count(in: batch, ReceiptID(3), wasCached: false) == nil)
        #expect(batches.count(in: batch, nil, wasCached: true) == nil)

        let last = batches.count(in: batch, ReceiptID(2), wasCached: false)
        #expect(last?.finished == 2 && last?.skipped == 0 && last?.isEnded == true)
    }

    @Test func aBatchOfNothingIsDoneAtOnce() {
        var batches = PrefetchBatches()
        let batch = batches.begin(0)
        #expect(batches.isEmpty && batches.count(in: batch, nil, wasCached: false) == nil)
    }
}
