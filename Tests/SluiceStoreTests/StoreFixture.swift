import SluiceCore
import SluiceStore
import SluiceSystem
import Testing

/// A store in a directory of its own, and a bell that its news ring.
final class StoreFixture {
    let directory = StoreDirectory()
    let store: DirectoryStore
    /// What the store takes for the time.
    let clock = TestClock()
    private let bell = Doorbell(waits: true)

    init(syncs: Bool = false) throws {
        let (bell, clock) = (bell, clock)
        store = try DirectoryStore(directory: directory.path, syncs: syncs, clock: { clock.now }) { bell.ring() }
    }

    deinit { store.close() }

    /// Waits for the writer's next news; blocks without end if none come, which the suite's limit ends.
    func nextNews() -> FileNews {
        while true {
            if let news = store.nextNews() { return news }
            bell.answer()
        }
    }

    func create(
        _ name: String,
        folder: String? = nil,
        _ onExists: OnExists = .rename,
        expected: Int? = nil,
        replaces: SavedFile? = nil,
        leavesEqual: Bool = false
    ) throws -> FileID? {
        var request = FileRequest(name: name, folder: folder, onExists: onExists, expected: expected)
        (request.replaces, request.leavesEqual) = (ReplaceableFiles(own: replaces.map { [$0] } ?? []), leavesEqual)
        return try store.create(request)
    }

    /// Writes a whole body in chunks, as a transfer does in a turn of its own, waiting where it must.
    ///
    /// - Returns: How often the store asked to pause.
    @discardableResult
    func write(_ bytes: [UInt8], to file: FileID, chunk: Int = 16_384) throws -> Int {
        var start = 0
        var pauses = 0
        while start < bytes.count {
            let end = min(bytes.count, start + chunk)
            if case .taken = try store.write(bytes.span.extracting(start..<end), to: file) {
                start = end
                continue
            }
            pauses += 1
            guard case .drained(file) = nextNews() else { throw Problem("expected to be drained") }
        }
        store.settle()
        return pauses
    }

    /// Ends a body and waits until it is in the part file.
    func finish(_ file: FileID) throws {
        if try store.finish(file) { return }
        guard case .written(file) = nextNews() else { throw Problem("expected to be written") }
    }

    /// Saves a whole body.
    @discardableResult
    func save(
        _ text: String,
        as name: String,
        folder: String? = nil,
        _ onExists: OnExists = .rename,
        replaces: SavedFile? = nil,
        leavesEqual: Bool = false,
        lastModified: Int? = nil
    ) throws -> SavedFile {
        let bytes = Array(text.utf8)
        let file = try #require(
            try create(
                name,
                folder: folder,
                onExists,
                expected: bytes.count,
                replaces: replaces,
                leavesEqual: leavesEqual
            )
        )
        try write(bytes, to: file)
        try finish(file)
        return try store.publish(file, as: .final, lastModified: lastModified)
    }
}

/// A clock that stands still until it is told to go on.
final class TestClock: Sendable {
    private let time = Locked(Timestamp(nanoseconds: 0))

    var now: Timestamp { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

struct Problem: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

/// The code of the error that `body` throws; `nil` if it throws none.
func errorCode(_ body: () throws -> Void) -> DownloadError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DownloadError)?.code
    }
}

extension DirectoryStore {
    /// Saves a body that no cache keeps.
    func save(_ file: FileID, lastModified: Int?) -> Bool { save(file, lastModified: lastModified) { nil } }
}

extension StoreDirectory {
    /// The HTTP cache in a folder of it, made if missing.
    func openCache(capacity: Int) throws(DownloadError) -> ResponseStore {
        try ResponseStore(directory: file("cache"), capacity: capacity, memory: 0, clock: { 1_000_000 }, wake: {})
    }
}

extension StoredResponse {
    /// One that may be stored.
    static func storable(_ url: String) -> StoredResponse {
        let fields = [HeaderField("Cache-Control", "max-age=100")]
        return StoredResponse(url: url, status: 200, fields: fields, requestTime: 1, responseTime: 2)
    }
}

extension ResponseStore {
    /// Stores a body that is nowhere yet.
    func add(
        _ response: StoredResponse,
        _ body: ResponseBody,
        now: Timestamp
    ) -> (response: StoredResponse, evicted: [EvictedResponse])? { try? add(response, body, reserved: nil, now: now) }
}
