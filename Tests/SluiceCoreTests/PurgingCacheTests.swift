import SluiceCore
import SluiceTestSupport
import Testing

struct PurgingCacheTests {
    private let now = Timestamp(nanoseconds: 0)

    @Test func eleventhEntryLeavesExactlySix() {
        var cache = PurgingCache<Int>(capacity: 1000, preferred: 600)
        for number in 0..<10 { #expect(cache.add(number, for: key(number), cost: 100, now: now).purge == nil) }
        let purge = cache.add(10, for: key(10), cost: 100, now: now).purge

        #expect(cache.usage == 600)
        #expect(purge?.victims.map(\.key) == (0..<5).map(key))
        #expect(purge?.before == 1100 && purge?.needed == 500 && purge?.freed == 500 && purge?.after == 600)
        #expect(cache.purges == 1 && cache.freed == 500)
    }

    @Test func sixHundredFortiethImageLeavesWhatTheSpecificationSays() {
        var cache = PurgingCache<Int>(capacity: 104_857_600, preferred: 62_914_560)
        for number in 1...639 { _ = cache.add(number, for: key(number), cost: 164_000, now: now) }
        #expect(cache.usage == 104_796_000)

        let addition = cache.add(640, for: key(640), cost: 164_000, now: now)
        #expect(cache.usage == 62_812_000)
        #expect(addition.change.usage == 62_812_000)
        #expect(addition.change.count == cache.count)
    }

    @Test func oldestEntryAloneGoesWhereItIsEnough() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        for (number, cost) in [50, 45, 10].enumerated() {
            _ = cache.add(number, for: key(number), cost: cost, now: now)
        }
        #expect(cache.usage == 55)
        #expect(cache.entries(now: now).map(\.cost) == [10, 45])
    }

    @Test func usageEqualToTheCapacityIsNotEnoughToPurge() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        _ = cache.add(0, for: key(0), cost: 60, now: now)
        #expect(cache.add(1, for: key(1), cost: 40, now: now).purge == nil)
    }

    @Test func entryJustAddedGoesLast() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        _ = cache.add(0, for: key(0), cost: 10, now: now)
        let addition = cache.add(1, for: key(1), cost: 95, now: now)
        #expect(addition.purge?.victims.map(\.key) == [key(0), key(1)])
        #expect(addition.change.verb == .added && addition.change.usage == 0)
        #expect(addition.change.why == .purgedAtOnce(cost: 95, preferred: 60))
    }

    /// Ten entries of 100 bytes fit; with the one after that a purge leaves six.
    @Test(arguments: [(1, Why.fitsCapacity), (10, .fitsCapacity), (11, .addedByPurging(victims: 5))])
    func anAdditionTellsWhatWentForIt(count: Int, why: Why) {
        var cache = PurgingCache<Int>(capacity: 1000, preferred: 600)
        var last: Why?
        for number in 1...count { last = cache.add(number, for: key(number), cost: 100, now: now).change.why }
        #expect(last == why)
    }

    @Test func entryLargerThanTheCapacityIsRefusedAndNothingElseEvicted() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        _ = cache.add(0, for: key(0), cost: 90, now: now)
        let addition = cache.add(1, for: key(1), cost: 101, now: now)
        #expect(
            addition.change.verb == .refused && addition.change.why == .largerThanCapacity(cost: 101, capacity: 100)
        )
        #expect(addition.purge == nil && cache.usage == 90)
    }

    @Test func replacingCountsTheNewCostOnly() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        _ = cache.add(0, for: key(0), cost: 90, now: now)
        let addition = cache.add(1, for: key(0), cost: 95, now: now)
        #expect(addition.change.verb == .replaced && addition.purge == nil)
        #expect(cache.usage == 95 && cache.peek(key(0)) == 1)
    }

    @Test func hitRefreshesAndLookingDoesNot() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        for number in 0..<3 { _ = cache.add(number, for: key(number), cost: 30, now: now) }
        let later = now + .seconds(5)
        #expect(cache.hit(key(0), now: later)?.idle == .seconds(5))
        #expect(cache.peek(key(1)) == 1)
        #expect(cache.hit(key(9), now: later) == nil)

        #expect(cache.entries(now: later).map(\.key) == [key(0), key(2), key(1)])
        #expect(cache.hits == 1 && cache.misses == 1)
    }

    @Test func variantsGoOneByOneOrTogether() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        for id in ["", "thumb-8x8", "thumb-16x16"] {
            _ = cache.add(0, for: CacheKey(key: "cat", id: id), cost: 10, now: now)
        }
        _ = cache.add(0, for: CacheKey(key: "dog"), cost: 10, now: now)

        #expect(cache.remove(CacheKey(key: "cat", id: "thumb-8x8"))?.usage == 30)
        #expect(cache.remove(CacheKey(key: "cat", id: "thumb-8x8")) == nil)
        #expect(Set(cache.removeAll("cat").map(\.key.id)) == ["", "thumb-16x16"])
        #expect(cache.removeAll("cat").isEmpty)
        #expect(cache.count == 1 && cache.usage == 10)
    }

    @Test func imagesOfAURLGoWhateverElseIsInTheirKeys() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        let keys = [
            CacheKey(key: "http://a/1.png"), CacheKey(key: "http://a/1.png", id: "thumb-8x8"),
            CacheKey(key: "http://a/1.png #0a1b2c3d"), CacheKey(key: "http://a/1.png2"),
            CacheKey(key: "http://a/2.png"),
        ]
        for key in keys { _ = cache.add(0, for: key, cost: 10, now: now) }

        let changes = cache.removeAll(ofURLs: ["http://a/1.png", "http://a/3.png"])

        #expect(Set(changes.map(\.key)) == Set(keys.prefix(3)))
        #expect(changes.map(\.usage) == [40, 30, 20] && changes.allSatisfy { $0.verb == .removed && $0.cost == 10 })
        #expect(Set(cache.entries(now: now).map(\.key)) == Set(keys.suffix(2)))
        #expect(cache.removeAll(ofURLs: ["http://a/1.png"]).isEmpty)
    }

    @Test func shrinkingPurgesAtOnce() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        for number in 0..<5 { _ = cache.add(number, for: key(number), cost: 20, now: now) }
        #expect(cache.resize(capacity: 100, preferred: 10, now: now) == nil)
        let purge = cache.resize(capacity: 99, preferred: 50, now: now)
        #expect(purge?.trigger == .resized && purge?.needed == 50 && purge?.freed == 60)
        #expect(cache.usage == 40)
    }

    @Test func clearingAnEmptyCacheAnswersNothing() {
        var cache = PurgingCache<Int>(capacity: 100, preferred: 60)
        #expect(cache.clear(.pressure, now: now) == nil)
        _ = cache.add(0, for: key(0), cost: 0, now: now)
        _ = cache.add(1, for: key(1), cost: 9, now: now)
        let purge = cache.clear(.cleared, now: now + .seconds(1))
        #expect(purge?.victims.map(\.idle) == [.seconds(1), .seconds(1)])
        #expect(purge?.after == 0 && cache.count == 0)
    }

    @Test func capacityOfZeroIsNoLimit() {
        var cache = PurgingCache<Int>(capacity: 0, preferred: 10)
        #expect(cache.add(0, for: key(0), cost: .max / 2, now: now).change.verb == .added)
        #expect(cache.resize(capacity: 20, preferred: 10, now: now)?.after == 0)
    }

    @Test func everyStateOfFourKeysAndThreeCostsEqualsTheModel() throws {
        // Every sequence of eight steps leads through these states only, so each is looked at once.
        var seen: Set<[Model.Entry]> = [[]]
        var frontier = [World()]
        var steps = 0
        for _ in 0..<8 {
            var next: [World] = []
            for world in frontier {
                for successor in world.successors {
                    steps += 1
                    try #require(successor.next.problem == nil, "after \(successor.name) in \(world.model.entries)")
                    if seen.insert(successor.next.model.entries).inserted { next.append(successor.next) }
                }
            }
            frontier = next
        }
        #expect(frontier.isEmpty, "the states are closed under all steps")
        #expect([seen.count, steps] == [853, 17_913], "the exploration must not shrink")
    }

    @Test func everySequenceOfFiveStepsEqualsTheModel() throws {
        let visited = try exploreAll(from: World(keys: 2), depth: 5, steps: \.successors, problem: \.problem)
        #expect(visited == 177_156, "the exploration must not shrink")
    }

    @Test func tenThousandRandomSequencesEqualTheModel() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<10_000 {
            var world = World()
            for _ in 0..<12 { world.takeRandomStep(using: &random) }
            guard world.problem == nil else {
                Issue.record("\(world.problem ?? "")")
                return
            }
        }
    }

    private func key(_ number: Int) -> CacheKey { CacheKey(key: "\(number)") }
}

/// The rules of the memory cache in the plainest form: an array, oldest first.
private struct Model {
    struct Entry: Hashable {
        var key: Int
        var cost: Int
    }
    var capacity = 12
    var preferred = 7
    var entries: [Entry] = []
    var usage: Int { entries.reduce(0) { $0 + $1.cost } }

    /// - Returns: The keys of the victims.
    mutating func add(_ key: Int, cost: Int) -> [Int] {
        guard cost <= capacity else { return [] }
        entries.removeAll { $0.key == key }
        entries.append(Entry(key: key, cost: cost))
        return purge()
    }

    mutating func purge() -> [Int] {
        guard usage > capacity else { return [] }
        var victims: [Int] = []
        while usage > preferred { victims.append(entries.removeFirst().key) }
        return victims
    }
}

private struct World: ExploredWorld {
    var cache = PurgingCache<Int>(capacity: 12, preferred: 7)
    var model = Model()
    var keys = 4
    var problem: String?
    private let now = Timestamp(nanoseconds: 0)

    init(keys: Int = 4) { self.keys = keys }

    var successors: [(name: String, next: World)] {
        var steps: [(name: String, next: World)] = [step("clear") { $0.clear() }]
        for number in 0..<keys {
            for cost in [1, 3, 9] { steps.append(step("add \(number) of \(cost)") { $0.add(number, cost: cost) }) }
            steps.append(step("get \(number)") { $0.hit(number) })
            steps.append(step("remove \(number)") { $0.remove(number) })
        }
        return steps
    }

    mutating func takeRandomStep(using random: inout SeededRandom) {
        let number = Int.random(in: 0..<keys, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: clear()
        case 1: remove(number)
        case 2...3: hit(number)
        case 4:
            let capacity = Int.random(in: 1...20, using: &random)
            resize(capacity: capacity, preferred: Int.random(in: 0...capacity, using: &random))
        default: add(number, cost: Int.random(in: 0...22, using: &random))
        }
        check()
    }

    /// Two images with two variants each.
    private func key(_ number: Int) -> CacheKey {
        CacheKey(key: "\(number / 2)", id: number.isMultiple(of: 2) ? "" : "v")
    }

    private mutating func add(_ number: Int, cost: Int) {
        let wasThere = model.entries.contains { $0.key == number }
        let isRefused = cost > model.capacity
        let victims = model.add(number, cost: cost)
        let addition = cache.add(number, for: key(number), cost: cost, now: now)
        if addition.change.verb != (isRefused ? .refused : wasThere ? .replaced : .added) { problem = "verb" }
        if addition.change.usage != model.usage { problem = "usage in the change" }
        compare(addition.purge, with: victims)
    }

    private mutating func resize(capacity: Int, preferred: Int) {
        (model.capacity, model.preferred) = (capacity, preferred)
        let victims = model.purge()
        compare(cache.resize(capacity: capacity, preferred: preferred, now: now), with: victims)
    }

    private mutating func clear() {
        let victims = model.entries.map(\.key)
        model.entries = []
        compare(cache.clear(.cleared, now: now), with: victims)
    }

    private mutating func compare(_ purge: CachePurge?, with victims: [Int]) {
        if (purge?.victims ?? []).map(\.key) != victims.map(key) { problem = "victims" }
        if (purge == nil) != victims.isEmpty { problem = "purged nothing" }
        guard let purge else { return }
        if purge.after != cache.usage || purge.freed < purge.needed { problem = "sums of the purge" }
        if purge.freed != purge.victims.reduce(0, { $0 + $1.cost }) { problem = "freed is not what the victims cost" }
    }

    private mutating func hit(_ number: Int) {
        let entry = model.entries.first { $0.key == number }
        if let entry {
            model.entries.removeAll { $0.key == number }
            model.entries.append(entry)
        }
        let hit = cache.hit(key(number), now: now)
        if hit?.value != entry?.key || hit?.cost != entry?.cost { problem = "hit" }
    }

    private mutating func remove(_ number: Int) {
        let wasThere = model.entries.contains { $0.key == number }
        model.entries.removeAll { $0.key == number }
        if (cache.remove(key(number)) != nil) != wasThere { problem = "removal reported wrongly" }
    }

    mutating func check() {
        let entries = cache.entries(now: now)
        if entries.map(\.key) != model.entries.reversed().map({ key($0.key) }) { problem = "order of entries" }
        if entries.map(\.cost) != model.entries.reversed().map(\.cost) { problem = "costs" }
        if cache.usage != model.usage || cache.usage > cache.capacity { problem = "usage" }
        if cache.count != model.entries.count { problem = "count" }
        if cache.largest() != (model.entries.map(\.cost).max() ?? 0) { problem = "largest" }
    }
}
