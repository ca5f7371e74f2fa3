import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceStore

extension ResponseStoreTests {
    /// The least recent ones are read many at a time, and some of them go before their turn comes.
    @Test func whatWentBeforeItsTurnIsNotEvictedOnceMore() throws {
        let store = try open(capacity: 1_000)
        for number in 1...10 { #expect(try add(store, "http://h/\(number)") == []) }
        waitUntilWritten(store)
        #expect(try add(store, "http://h/11") == ["http://h/1"])

        #expect(try add(store, "http://h/4") == [], "it takes the place of the one that is there")
        waitUntilWritten(store)

        let evicted = try (12...14).map { try add(store, "http://h/\($0)") }
        #expect(evicted == [["http://h/2"], ["http://h/3"], ["http://h/5"]])
        waitUntilWritten(store)
        #expect(store.nextEviction() == nil, "the writer had no room to make")
        #expect(store.responses(for: "http://h/4", now: now).count == 1)
        #expect(store.figures.usage == 1_000 && store.figures.count == 10)
        store.close()
        #expect(bodies == (10, 1_000))
    }

    /// Two sessions each see half of what is there; the one that writes last makes room.
    @Test func whatTheWriterEvictedIsToldWithWhatWasAddedMeanwhile() throws {
        let store = try open(capacity: 1_000)
        try add(store, "http://h/a", count: 100)
        waitUntilWritten(store)
        // An unlimited one, whose entries the limited one has not seen.
        let other = try open(capacity: 0)
        for number in 1...9 { try add(other, "http://h/\(number)", count: 100) }
        other.close()

        try add(store, "http://h/b", count: 100)
        waitUntilWritten(store)

        var told: [(String, Int)] = []
        while let eviction = store.nextEviction() { told.append((eviction.url, eviction.usage)) }
        #expect(told.map(\.0) == ["http://h/a"])
        #expect(told.map(\.1) == [1_000])
        #expect(store.figures.usage == 1_000)
        store.close()
    }

    /// The sums hold by then what the other one stored in the room of what went.
    @Test func noEvictionIsToldWithMoreThanTheLimit() throws {
        let store = try open(capacity: 1_000)
        for number in 0..<8 { try add(store, "http://h/\(number)", count: 100) }
        waitUntilWritten(store)
        let other = try open(capacity: 0)
        for number in 8..<16 { try add(other, "http://h/\(number)", count: 100) }
        other.close()
        try add(store, "http://h/last", count: 100)
        waitUntilWritten(store)
        var told: [Int] = []
        while let eviction = store.nextEviction() { told.append(eviction.usage) }
        #expect(told.count >= 6 && told.allSatisfy { $0 <= 1_000 }, "\(told)")
        store.close()
    }
}
