import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

@testable import SluiceStore

/// The HTTP cache on disk.
@Suite(.timeLimit(.minutes(5)))
struct ResponseStoreTests {
    let directory = StoreDirectory()
    let now = Timestamp(nanoseconds: 0)
    /// Rung by every store of ``open(capacity:memory:clock:)`` when there is something to hear of it.
    let bell = Doorbell(waits: true)

    /// The clock is in milliseconds since 1970.
    func open(
        capacity: Int = 1_000_000,
        memory: Int = 100_000,
        clock: @escaping @Sendable () -> Int64 = { 1_000_000 }
    ) throws(DownloadError) -> ResponseStore {
        try ResponseStore(
            directory: directory.file("cache"),
            capacity: capacity,
            memory: memory,
            clock: clock,
            wake: { [bell] in bell.ring() }
        )
    }

    /// Has a store write at once what it was asked for so far, and waits for that.
    func waitUntilWritten(_ store: ResponseStore) {
        store.hasten()
        while !store.isWritten { bell.answer() }
    }

    func response(_ url: String, _ value: String = "x", time: Int64 = 2) -> StoredResponse {
        let fields = [HeaderField("Cache-Control", "max-age=100"), HeaderField("X-Value", value)]
        var content = StoredResponse.Content(url: url, status: 200, fields: fields)
        (content.vary, content.selector, content.owner) = (["accept", "x-a"], Fingerprint(value), Fingerprint("ann"))
        return StoredResponse(content, requestTime: 1, responseTime: time)
    }

    @discardableResult
    func add(_ store: ResponseStore, _ url: String, _ value: String = "x", count: Int = 100) throws -> [String] {
        let added = store.add(response(url, value), .bytes(pattern(count)), now: now)
        return try #require(added).evicted.map(\.url)
    }

    /// What goes for a lower limit: the store says so itself, or the writer, which may come first.
    func evictedByResizing(_ store: ResponseStore, to capacity: Int) -> [EvictedResponse] {
        var evicted = store.resize(capacity: capacity, memory: 0, now: now)
        waitUntilWritten(store)
        while let next = store.nextEviction() { evicted.append(next) }
        return evicted
    }

    /// Names and sizes of the body files.
    var bodies: (count: Int, bytes: Int) {
        let folder = directory.file("cache/bodies")
        let names = FileTree.names(in: folder)
        return (names.count, names.reduce(0) { $0 + size(folder + "/" + $1) })
    }

    private func size(_ path: String) -> Int {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    @Test func withoutALimitEveryBodyMayStayInMemory() throws {
        let store = try open(memory: 0)
        try add(store, "http://h/a", count: 90_000)
        store.close()
        let later = try open(memory: 0)
        let found = later.responses(for: "http://h/a", now: now)
        later.keepInMemory(pattern(90_000), of: found[0], now: now)
        guard case .bytes = later.body(of: found[0]) else { throw Problem("not in memory") }
        later.close()
    }

    @Test func whatWasAddedIsFoundAtOnceAndLater() throws {
        let first = try open()
        let index = try openIndex()
        try index.database.run("BEGIN IMMEDIATE")
        try add(first, "http://h/a", count: 5000)
        let found = first.responses(for: "http://h/a", now: now)
        #expect(found.count == 1 && found[0].size == 5000)
        guard case .bytes(let bytes) = first.body(of: found[0]) else { throw Problem("not in memory") }
        #expect(bytes == pattern(5000))
        try index.database.run("COMMIT")
        first.close()

        let second = try open()
        let later = second.responses(for: "http://h/a", now: now)
        #expect(later == found)
        guard case .file(let file) = second.body(of: later[0]) else { throw Problem("not on disk") }
        #expect(directory.readBytes("cache/bodies/\(later[0].id.rawValue)") == pattern(5000))
        #expect(file.size == 5000 && second.figures.usage == 5000 && second.figures.count == 1)
        #expect(second.responses(for: "http://h/b", now: now).isEmpty)
    }

    @Test func aBodyThatWasLookedUpOnItsWayToTheDiskIsFoundThere() throws {
        let store = try open()
        try add(store, "http://h/a")
        let found = try #require(store.responses(for: "http://h/a", now: now).first)
        store.close()

        #expect(store.figures.count == 1)
        guard case .file(let file) = store.body(of: found) else { throw Problem("not on disk") }
        var status = stat()
        #expect(unsafe lstat(file.path, &status) == 0 && status.isSame(as: file))
    }

    @Test func anUpdateChangesTheHeadAlone() throws {
        let first = try open()
        try add(first, "http://h/a")
        var changed = try #require(first.responses(for: "http://h/a", now: now).first)
        changed.fields = [HeaderField("X-Value", "new")]
        first.update(changed)
        #expect(first.responses(for: "http://h/a", now: now) == [changed])
        first.close()
        let second = try open()
        #expect(second.responses(for: "http://h/a", now: now) == [changed])
        changed.fields = []
        second.update(changed)
        #expect(second.responses(for: "http://h/a", now: now) == [changed])
        second.close()
        #expect(try open().responses(for: "http://h/a", now: now) == [changed])
    }

    @Test func aNewAnswerReplacesItsVariantOnly() throws {
        let store = try open()
        for value in ["1", "2", "1"] { try add(store, "http://h/a", value) }
        let selectors = store.responses(for: "http://h/a", now: now).map(\.selector)
        #expect(selectors.count == 2 && Set(selectors) == [Fingerprint("1"), Fingerprint("2")])
        store.close()
        #expect(bodies == (2, 200))
        let again = try open()
        try add(again, "http://h/a", "2", count: 7)
        #expect(again.figures.usage == 107 && again.figures.count == 2)
        again.close()
        #expect(bodies == (2, 107))
    }

    /// It was asked for before, and took longer.
    @Test func anOlderAnswerTakesNoNewerOnesPlace() throws {
        let store = try open()
        let newer = try #require(store.add(response("http://h/a", time: 9), .bytes(pattern(3)), now: now))
        #expect(store.add(response("http://h/a", time: 8), .bytes(pattern(5)), now: now) == nil)
        #expect(store.responses(for: "http://h/a", now: now) == [newer.response])
        // The clock was set back since that one came, which then says nothing.
        _ = store.add(response("http://h/b", time: 2_000_000), .bytes(pattern(3)), now: now)
        #expect(store.add(response("http://h/b", time: 8), .bytes(pattern(5)), now: now) != nil)
        store.close()
        #expect(bodies == (2, 8))
    }

    /// Rows of the index that were read long ago do not know what was used since.
    @Test func whatWasUsedAMinuteAgoIsMoreRecentThanWhatWasNot() throws {
        let time = Locked<Int64>(1_000_000)
        let store = try open(capacity: 1_000, memory: 0) { time.withLock { $0 } }
        for number in 0..<10 {
            time.withLock { $0 += 1_000 }
            try add(store, "http://h/\(number)")
        }
        waitUntilWritten(store)
        #expect(try add(store, "http://h/new") == ["http://h/0"])
        time.withLock { $0 += 1_000 }
        store.use(try #require(store.responses(for: "http://h/1", now: now).first))
        waitUntilWritten(store)
        // What is done is told to the store, which forgets what was used long ago.
        for number in 0..<2 {
            time.withLock { $0 += 40_000 }
            try add(store, "http://h/more\(number)")
        }
        #expect(store.responses(for: "http://h/1", now: now).count == 1)
        store.close()
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let time = Locked<Int64>(1_000_000)
        let first = try open(capacity: 1_000, memory: 0) { time.withLock { $0 } }
        for number in 0..<10 {
            time.withLock { $0 += 10_000 }
            try add(first, "http://h/\(number)")
        }
        time.withLock { $0 += 10_000 }
        first.use(try #require(first.responses(for: "http://h/0", now: now).first))
        first.close()

        let second = try open(capacity: 1_000, memory: 0) { time.withLock { $0 } }
        #expect(try add(second, "http://h/new", count: 250) == ["http://h/1", "http://h/2", "http://h/3"])
        #expect(second.figures.usage == 950)
        second.close()
        #expect(bodies == (8, 950))
        #expect(
            try open(capacity: 1_000, memory: 0) { time.withLock { $0 } }.responses(for: "http://h/0", now: now).count
                == 1
        )
    }

    @Test func aUseOfWhatWaitsForTheDiskCounts() throws {
        let time = Locked<Int64>(1_000_000)
        let store = try open(capacity: 1_000, memory: 0) { time.withLock { $0 } }
        for number in 0..<10 { try add(store, "http://h/\(number)") }
        time.withLock { $0 += 1 }
        store.use(try #require(store.responses(for: "http://h/0", now: now).first))
        #expect(try add(store, "http://h/new", count: 250) == ["http://h/1", "http://h/2", "http://h/3"])
        store.close()
    }

    /// However soon after a start it is asked for.
    @Test func whatWasNotUsedForAWeekAnswersNothing() throws {
        let first = try open()
        try add(first, "http://h/a")
        first.close()
        for (time, count) in [(1_000_000, 1), (1_000_001, 0)] as [(Int64, Int)] {
            let later = time + 7 * 86_400_000
            let path = directory.file("cache")
            let store = try ResponseStore(directory: path, capacity: 0, memory: 0, clock: { later }, wake: {})
            #expect(store.responses(for: "http://h/a", now: now).count == count)
            store.close()
        }
    }

    @Test func theFiguresNeverExceedTheLimit() throws {
        let store = try open(capacity: 1000)
        for number in 0..<500 {
            try add(store, "http://h/\(number)", count: number % 300)
            #expect(store.figures.usage <= 1000)
        }
        store.close()
        let (count, bytes) = bodies
        let again = try open(capacity: 1000)
        #expect(again.figures.usage == bytes && again.figures.count == count && bytes <= 1000)
        #expect(!evictedByResizing(again, to: 300).isEmpty)
        again.close()
        #expect(bodies.bytes <= 300)
    }

    @Test func whatIsTooLargeIsRefused() throws {
        let store = try open(capacity: 99)
        let error = #expect(throws: StoringRefusal.self) {
            try store.add(response("http://h/a"), .bytes(pattern(100)), reserved: nil, now: now)
        }
        #expect(error?.why == .tooLarge(bytes: 100, limit: 99))
        #expect(store.figures.count == 0)
    }

    @Test func aSavedFileIsSharedUntilItIsReplaced() throws {
        let store = try open()
        directory.write("body", to: "file")
        var status = stat()
        #expect(unsafe lstat(directory.file("file"), &status) == 0)
        let saved = SavedFile(path: directory.file("file"), size: 4, modified: status.modified)
        _ = store.add(response("http://h/a"), .file(saved), now: now)
        store.close()
        let found = try #require(try open().responses(for: "http://h/a", now: now).first)
        let name = "cache/bodies/\(found.id.rawValue)"
        #expect(unsafe lstat(directory.file(name), &status) == 0 && status.st_nlink == 2)
        directory.write("new one", to: "other")
        #expect(unsafe rename(directory.file("other"), directory.file("file")) == 0)
        #expect(directory.read(name) == "body")
    }

    @Test func aSavedFileThatChangedBeforeItWasStoredIsNotStored() throws {
        let store = try open()
        directory.write("body", to: "file")
        let saved = SavedFile(path: directory.file("file"), size: 4, modified: 5)
        _ = store.add(response("http://h/a"), .file(saved), now: now)
        store.close()
        let again = try open()
        #expect(again.responses(for: "http://h/a", now: now).isEmpty && again.figures.usage == 0)
        #expect(bodies.count == 0)
    }

    @Test func whatWasNotUsedForAWeekGoes() throws {
        let first = try open()
        try add(first, "http://h/a")
        first.close()
        let week: Int64 = 7 * 86_400_000
        for (time, count) in [(week + 999_000, 1), (week + 1_000_001, 0)] as [(Int64, Int)] {
            let path = directory.file("cache")
            let store = try ResponseStore(directory: path, capacity: 0, memory: 0, clock: { time }, wake: {})
            store.close()
            #expect(bodies.count == count)
        }
    }

    /// The loop may answer by a body that the writer has just stored, until it has heard of that.
    @Test func anOpenFileIsThereUntilTheLoopKnowsThatItIsStored() throws {
        directory.write("body", to: "part")
        let source = unsafe Glibc.open(directory.file("part"), O_RDONLY | O_CLOEXEC)
        let store = try open(capacity: 0, memory: 0)
        let added = try #require(store.add(response("http://h/a"), .descriptor(source, count: 4), now: now)).response
        bell.answer()
        guard case .descriptor(let descriptor) = store.body(of: added) else { throw Problem("it is known already") }
        #expect(fcntl(descriptor, F_GETFD) != -1)
        #expect(store.figures.count == 1)
        guard case .file = store.body(of: added) else { throw Problem("it is not known yet") }
        store.close()
        var status = stat()
        let isOpen =
            unsafe fstat(source, &status) == 0 && FileTree.inode(of: directory.file("part")) == UInt64(status.st_ino)
        #expect(!isOpen, "closed once nobody reads it")
    }

    @Test func aDamagedIndexIsPutAside() throws {
        let first = try open()
        try add(first, "http://h/a")
        first.close()
        for name in ["index.db", "index.db-wal"] {
            directory.write("not a database, but long enough", to: "cache/" + name)
        }
        let second = try open()
        #expect(second.responses(for: "http://h/a", now: now).isEmpty)
        #expect(bodies.count == 0, "nothing leads to them any more")
        try add(second, "http://h/b")
        second.close()
        #expect(try open().responses(for: "http://h/b", now: now).count == 1)
    }

    @Test func headsComeBackAsTheyWere() {
        var original = response("http://h/a", "\0\n猫")
        original.fields += [HeaderField("", ""), HeaderField("A", String(repeating: "b", count: 70_000))]
        (original.id, original.size, original.httpVersion) = (ResponseID(5), 9, "2")
        let bytes = ResponseCoding.encode(original)
        #expect(ResponseCoding.decode(bytes, id: original.id, url: original.url, size: 9) == original)
        for cut in [0, 1, 40, 60, 100, bytes.count - 1] {
            #expect(ResponseCoding.decode(Array(bytes.prefix(cut)), id: original.id, url: "", size: 9) == nil)
        }
    }
}
