import SluiceCore
import SluiceSystem

/// A directory that takes a body and, when the test says so, has no room for it after all.
final class FillingDisk: FullDisk {
    /// What the test and the pipeline's thread share.
    final class Desk: Sendable {
        private let state = Locked((isWhole: false, isFull: false))
        private let bell = Doorbell(waits: true)

        /// Blocks until a body is whole, which the suite's limit bounds.
        func waitUntilWhole() {
            while !state.withLock({ $0.isWhole }) { bell.answer() }
        }

        func fill() { state.withLock { $0.isFull = true } }

        fileprivate func finish() {
            state.withLock { $0.isWhole = true }
            bell.ring()
        }

        fileprivate func takeFull() -> Bool {
            state.withLock { state in
                defer { state.isFull = false }
                return state.isFull
            }
        }
    }

    private let desk: Desk

    init(_ desk: Desk) {
        self.desk = desk
        super.init()
    }

    override func create(_ request: FileRequest) throws(DownloadError) -> FileID? { FileID(1) }
    override func write(_ chunk: Span<UInt8>, to file: FileID) throws(DownloadError) -> BodyFlow { .taken }
    override func finish(_ file: FileID) throws(DownloadError) -> Bool {
        desk.finish()
        return false
    }

    override func nextNews() -> FileNews? { desk.takeFull() ? .failed(FileID(1), error) : nil }
    override func freeSpace(in folder: String?) -> Int? { nil }
}
