import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// What matches a filter, while the queue changes between two slices.
struct QueueListingTests {
    private let filter = ListFilter("cat")
    private let now = Timestamp(nanoseconds: 0)

    private func queue(_ count: Int) -> DownloadScheduler {
        var scheduler = DownloadScheduler(limit: 4)
        for number in 1...count {
            let key = MergeKey(url: "http://h.example/\(number)\(number % 3 == 0 ? "cat" : "dog")")
            _ = scheduler.submit(key, options: .standard, source: .program, now: now)
        }
        return scheduler
    }

    /// The first of the queue start and end, or are cancelled.
    private func leave(_ scheduler: inout DownloadScheduler, _ count: Int) {
        for task in scheduler.queued(from: 1, count: count) { _ = scheduler.end(task.id) }
    }

    /// What the listing says in the end, with something done to the queue before each slice but the first.
    private func matches(
        _ scheduler: inout DownloadScheduler,
        between change: (inout DownloadScheduler) -> Void
    ) -> [TaskID] {
        var listing = QueueListing(filter, version: scheduler.queueVersion)
        var slices = 0
        while listing.isSearching, slices < 100 {
            if slices > 0 { change(&scheduler) }
            _ = listing.search(scheduler, now: now)
            slices += 1
        }
        #expect(listing.isComplete)
        return listing.matches
    }

    private func expected(_ scheduler: DownloadScheduler) -> [TaskID] {
        scheduler.queued(from: 1, count: 100_000).filter { $0.key.url.hasSuffix("cat") }.map(\.id)
    }

    @Test(arguments: [1, 3, 700, 2_047]) func tasksThatLeaveMeanwhileHideNoneBehindThem(count: Int) {
        var scheduler = queue(9_000)
        let found = matches(&scheduler) { leave(&$0, count) }
        let wanted = expected(scheduler)
        #expect(found.suffix(wanted.count) == wanted[...], "\(found.count) of \(wanted.count)")
        #expect(Set(found).count == found.count)
    }

    @Test func whereAWholeSliceHasLeftTheSearchBeginsAnew() {
        var scheduler = queue(9_000)
        var isFirst = true
        let found = matches(&scheduler) { scheduler in
            guard isFirst else { return }
            isFirst = false
            leave(&scheduler, 3_000)
        }
        #expect(found == expected(scheduler))
    }

    @Test func theLastOfASliceMayBeSentElsewhere() {
        for goesToFront in [true, false] {
            var scheduler = queue(9_000)
            var isFirst = true
            let found = matches(&scheduler) { scheduler in
                guard isFirst else { return }
                isFirst = false
                let last = TaskID(QueueListing.slice)
                _ = goesToFront ? scheduler.promote(last) : scheduler.move(last, by: 6_000)
            }
            let missing = Set(expected(scheduler)).subtracting(found)
            #expect(missing.isEmpty, "\(missing)")
        }
    }
}
