import CLinux
import Glibc
import SluiceCore
import SluiceStore
import SluiceSystem

/// A directory whose copies are made when the test says so.
final class HeldCopies: FileStoring {
    /// What the test and the threads of the pool share.
    final class Gate: Sendable {
        private struct State {
            var waiting: [String] = []
            var permits = 0
            var removed: [String] = []
            var deletesWhatIsLookedAt = false
        }
        private let state = Locked(State())
        private let news = Doorbell(waits: true)
        private let permit = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))

        deinit { close(permit) }

        /// Blocks until so many copies were begun, which the suite's limit bounds.
        func waitUntilBegun(_ count: Int) { wait { $0.waiting.count >= count } }

        /// Blocks until so many copies are gone again.
        func waitUntilRemoved(_ count: Int) { wait { $0.removed.count >= count } }

        /// The names of those that were begun.
        var begun: [String] { state.withLock { $0.waiting } }

        /// Lets so many copies be made.
        func release(_ count: Int = 1) { eventfd_write(permit, UInt64(count)) }

        /// Has the next file that is looked at deleted behind the pipeline's back, right after the look.
        func deleteNextLookedAt() { state.withLock { $0.deletesWhatIsLookedAt = true } }

        fileprivate func note(lookAt path: String) {
            let deletes = state.withLock { state in
                defer { state.deletesWhatIsLookedAt = false }
                return state.deletesWhatIsLookedAt
            }
            if deletes { unsafe unlink(path) }
        }

        private func wait(_ condition: (State) -> Bool) {
            while !state.withLock({ condition($0) }) { news.answer() }
        }

        fileprivate func pass(_ name: String) {
            state.withLock { $0.waiting.append(name) }
            news.ring()
            var ticket: eventfd_t = 0
            while unsafe eventfd_read(permit, &ticket) != 0, errno == EINTR {}
        }

        fileprivate func note(removed path: String) {
            state.withLock { $0.removed.append(path) }
            news.ring()
        }
    }

    private let store: DirectoryStore
    private let gate: Gate

    init(_ store: DirectoryStore, _ gate: Gate) { (self.store, self.gate) = (store, gate) }

    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError> {
        let copier = store.copier(of: file, to: request)
        return { [gate] in
            gate.pass(request.name)
            return copier()
        }
    }

    func remover(of file: SavedFile) -> @Sendable () -> DownloadError? {
        let remover = store.remover(of: file)
        return { [gate] in
            defer { gate.note(removed: file.path) }
            return remover()
        }
    }

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? { try store.create(request) }
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow {
        try store.write(chunk, to: file)
    }
    func finish(_ file: FileID) throws(DownloadError) -> Bool { try store.finish(file) }
    func descriptor(of file: FileID) throws(DownloadError) -> Int32 { try store.descriptor(of: file) }
    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        try store.publish(file, as: publication, lastModified: lastModified)
    }
    func save(_ file: FileID, lastModified: Int?, for reserve: () -> ReservedBody?) -> Bool {
        store.save(file, lastModified: lastModified, for: reserve)
    }
    func settle() { store.settle() }
    func keepPart(_ file: FileID) { store.keepPart(file) }
    func discard(_ file: FileID) { store.discard(file) }
    func location(of file: FileID) -> PartLocation? { store.location(of: file) }
    func isIntact(_ file: SavedFile) -> Bool {
        defer { gate.note(lookAt: file.path) }
        return store.isIntact(file)
    }
    func secondName(of stored: SavedFile, at saved: SavedFile) -> SavedFile? {
        defer { gate.note(lookAt: saved.path) }
        return store.secondName(of: stored, at: saved)
    }
    func nextNews() -> FileNews? { store.nextNews() }
}
