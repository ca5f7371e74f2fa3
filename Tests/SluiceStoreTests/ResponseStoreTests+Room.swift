import SluiceCore
import SluiceSystem
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

    /// The store chooses from rows that it read before, some of which the writer has just taken by itself.
    @Test func whatBothChoseGoesAndIsToldOnce() throws {
        let interlude = Interlude()
        let store = try open(capacity: 1_000, clock: { interlude.time() })
        for number in 1...10 { try add(store, "http://h/\(number)") }
        waitUntilWritten(store)
        #expect(try add(store, "http://h/11") == ["http://h/1"])
        waitUntilWritten(store)
        interrupt(interlude, store, .capacity(200)) { $0 == 2 }

        var told = store.resize(capacity: 200, memory: 0, now: now).map(\.url)
        #expect(store.figures.usage == 200 && store.figures.count == 2, "what both took counts once")
        waitUntilWritten(store)
        while let eviction = store.nextEviction() { told.append(eviction.url) }
        #expect(told == (2...9).map { "http://h/\($0)" })
        #expect(store.figures.usage == 200 && store.figures.count == 2)
        store.close()
        #expect(bodies == (2, 200))
    }

    /// Else what is left by then would go, too: the sums are as they were before the writer made room.
    @Test func aLowerLimitComesToTheWriterBehindWhatGoesForIt() throws {
        let interlude = Interlude()
        let store = try open(capacity: 1_100, clock: { interlude.time() })
        for number in 1...11 { try add(store, "http://h/\(number)") }
        waitUntilWritten(store)
        // Once that body is gone, the writer has done what it was asked for before.
        let mark = try #require(store.responses(for: "http://h/11", now: now).first)
        interrupt(interlude, store, .remove(mark.id)) { $0 < 11 }

        var told = store.resize(capacity: 300, memory: 0, now: now).map(\.url)
        waitUntilWritten(store)
        while let eviction = store.nextEviction() { told.append(eviction.url) }
        #expect(told == (1...8).map { "http://h/\($0)" })
        #expect(store.figures.usage == 200 && store.figures.count == 2)
        store.close()
        #expect(bodies == (2, 200))
    }

    /// Has a store's writer do one more job when the store has looked at the sums and is about to choose what goes.
    ///
    /// - Parameters:
    ///   - interlude: The store's clock, which it asks just then.
    ///   - store: Chooses next.
    ///   - job: Of which the store knows nothing.
    ///   - isDone: Whether the job is done, where so many bodies are left.
    private func interrupt(
        _ interlude: Interlude,
        _ store: ResponseStore,
        _ job: ResponseWriter.Job,
        until isDone: @escaping @Sendable (Int) -> Bool
    ) {
        let folder = directory.file("cache/bodies")
        interlude.set { [bell, writer = store.writer] in
            writer.add(job)
            writer.hasten()
            // The bodies of a batch go before the bell rings for it.
            while !isDone(FileTree.names(in: folder).count) { bell.answer() }
        }
    }
}

/// A clock that stands still, and does something when it is asked for the time.
private final class Interlude: Sendable {
    private let action = Locked<(@Sendable () -> Void)?>(nil)

    /// In milliseconds since 1970.
    func time() -> Int64 {
        let due = action.withLock { action in
            defer { action = nil }
            return action
        }
        due?()
        return 1_000_000
    }

    /// Says what is done at the next question, once.
    func set(_ next: @escaping @Sendable () -> Void) { action.withLock { $0 = next } }
}
