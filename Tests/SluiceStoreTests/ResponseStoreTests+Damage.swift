import SluiceCore
import Testing

@testable import SluiceStore

/// Numbers in the index were changed on the disk, which SQLite does not notice.
extension ResponseStoreTests {
    /// Stores two responses, and changes the index behind them.
    private func damage(_ sql: String) throws {
        let first = try open()
        for url in ["http://h/a", "http://h/b"] { try add(first, url) }
        first.close()
        try ResponseIndex(path: directory.file("cache/index.db")).database.run(sql)
    }

    @Test func timesAndSizesThatCanNotBeAreRefused() {
        let original = response("http://h/a")
        for time in [Int64.min, -1, (1 << 53) + 1, .max] {
            var (sent, answered) = (original, original)
            (sent.requestTime, answered.responseTime) = (time, time)
            for damaged in [sent, answered] {
                let bytes = ResponseCoding.encode(damaged)
                #expect(ResponseCoding.decode(bytes, id: original.id, url: original.url, size: 9) == nil)
            }
        }
        let bytes = ResponseCoding.encode(original)
        for size in [Int.min, -1, .max] {
            #expect(ResponseCoding.decode(bytes, id: original.id, url: original.url, size: size) == nil)
        }
    }

    @Test(
        arguments: [
            "UPDATE total SET bytes = -9223372036854775808", "UPDATE total SET bytes = 9223372036854775807",
            "UPDATE total SET count = -1", "UPDATE total SET count = 9223372036854775807",
            "UPDATE total SET next = -1", "UPDATE total SET next = 9223372036854775807",
            "DELETE FROM total", "INSERT INTO total VALUES (1, 1, 1)",
        ]
    )
    func sumsThatCanNotBeAreCountedAnew(change: String) throws {
        try damage(change)
        let store = try open()
        #expect(store.figures.count == 2 && store.figures.usage == 200)
        try add(store, "http://h/c")
        store.close()
        let later = try open()
        #expect(later.figures.count == 3 && later.figures.usage == 300)
        for name in ["a", "b", "c"] { #expect(later.responses(for: "http://h/\(name)", now: now).count == 1) }
    }

    @Test(arguments: [Int64.min, -1, .max]) func aResponseOfASizeThatCanNotBeIsNoneAndGoes(size: Int64) throws {
        try damage("UPDATE response SET size = \(size) WHERE url = 'http://h/a'")
        let store = try open(capacity: 1000)
        #expect(store.responses(for: "http://h/a", now: now).isEmpty)
        #expect(store.responses(for: "http://h/b", now: now).count == 1)
        let evicted = evictedByResizing(store, to: 150)
        #expect(evicted.first?.url == "http://h/a")
        store.close()
        #expect(directory.readBytes("cache/bodies/1") == nil)
    }

    @Test(arguments: [(1, .max), (.min, .max), (.max, .max)] as [(Int64, Int64)])
    func aDeadSessionOfDamagedNumbersHoldsNobodyUp(settled: Int64, upto: Int64) throws {
        try damage("INSERT INTO session (id, settled, upto) VALUES (77, \(settled), \(upto))")
        directory.write("orphan", to: "cache/bodies/4000")
        let store = try open()
        #expect(store.figures.count == 2)
        store.close()
        // Where nobody knows from where on to look for it, it stays.
        #expect(bodies.count == (settled == 1 ? 2 : 3))
    }

    @Test(arguments: [Int64.min, .max]) func aReservationThatCanNotBeTakesNoRoom(reserved: Int64) throws {
        let store = try open(capacity: 1000)
        let index = try ResponseIndex(path: directory.file("cache/index.db"))
        try index.database.run(
            "INSERT INTO session (id, settled, upto, reserved) VALUES (77, 1, 1, ?)",
            .integer(reserved)
        )
        for number in 1...5 { try add(store, "http://h/\(number)") }
        store.close()
        #expect(bodies == (5, 500))
    }
}
