import Glibc
import SluiceCore
import SluiceSystem

/// Files whose bodies are whole at once, and get their names when the test says so.
final class LateWriter: FileStoring {
    /// What the test and the pipeline's thread share.
    final class Desk: Sendable {
        private struct State {
            var saving: [FileID] = []
            var news: [FileNews] = []
            var givenUp: [FileID] = []
            var removed: [String] = []
            var created = 0
        }
        private let state = Locked(State())
        private let bell = Doorbell(waits: true)

        /// Blocks until so many bodies wait for their names, which the suite's limit bounds.
        func waitUntilSaving(_ count: Int) {
            while state.withLock({ $0.saving.count }) < count { bell.answer() }
        }

        /// Those that were given up before they had a name.
        var givenUp: [FileID] { state.withLock { $0.givenUp } }

        /// Paths of what was saved, and removed again.
        var removed: [String] { state.withLock { $0.removed } }

        /// Gives the first body its name, or refuses it.
        ///
        /// - Parameters:
        ///   - error: Why it is refused.
        ///   - path: A file that has its bytes; `nil` says where none is.
        func release(_ error: DownloadError? = nil, at path: String? = nil) {
            let there = path.flatMap { FileStatus($0, in: AT_FDCWD)?.saved($0) }
            state.withLock { state in
                let file = state.saving.removeFirst()
                let saved = there ?? SavedFile(path: "/late/\(file.rawValue)", size: 1, modified: 1)
                state.news.append(error.map { .failed(file, $0) } ?? .saved(file, saved))
            }
        }

        fileprivate func create() -> FileID {
            state.withLock { state in
                state.created += 1
                return FileID(state.created)
            }
        }

        fileprivate func save(_ file: FileID) {
            state.withLock { $0.saving.append(file) }
            bell.ring()
        }

        fileprivate func giveUp(_ file: FileID) {
            state.withLock { state in
                guard let index = state.saving.firstIndex(of: file) else { return }
                state.saving.remove(at: index)
                state.givenUp.append(file)
            }
        }

        fileprivate func remove(_ file: SavedFile) { state.withLock { $0.removed.append(file.path) } }

        fileprivate func nextNews() -> FileNews? {
            state.withLock { $0.news.isEmpty ? nil : $0.news.removeFirst() }
        }
    }

    private let desk: Desk

    init(_ desk: Desk) { self.desk = desk }

    func create(_ request: FileRequest) throws(DownloadError) -> FileID? { desk.create() }
    func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow { .taken }
    func finish(_ file: FileID) throws(DownloadError) -> Bool { true }

    func save(_ file: FileID, lastModified: Int?, for reserve: () -> ReservedBody?) -> Bool {
        desk.save(file)
        return true
    }

    func descriptor(of file: FileID) throws(DownloadError) -> Int32 {
        throw DownloadError(.ioError, "nothing can be read here")
    }

    func publish(
        _ file: FileID,
        as publication: FilePublication,
        lastModified: Int?
    ) throws(DownloadError) -> SavedFile {
        throw DownloadError(.ioError, "everything is saved late here")
    }

    func keepPart(_ file: FileID) { desk.giveUp(file) }
    func discard(_ file: FileID) { desk.giveUp(file) }
    func isIntact(_ file: SavedFile) -> Bool { true }

    func copier(of file: SavedFile, to request: FileRequest) -> @Sendable () -> Result<SavedFile, DownloadError> {
        { .failure(DownloadError(.ioError, "nothing can be copied here")) }
    }

    func remover(of file: SavedFile) -> @Sendable () -> DownloadError? {
        { [desk] in
            desk.remove(file)
            return nil
        }
    }

    func nextNews() -> FileNews? { desk.nextNews() }
}
