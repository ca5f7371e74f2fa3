internal import Glibc
internal import SluiceSystem
internal import SluiceTestSupport

/// A folder in memory (`/dev/shm`) for one benchmark, removed at its end.
final class ScratchFolder {
    var path: String { folder.path }
    private let folder: TemporaryFolder

    init() throws {
        let name = (parent: "/dev/shm", start: "sluice-bench.")
        // A benchmark that is interrupted leaves gibibytes of memory.
        TemporaryFolder.removeLeftovers(in: name.parent, startingWith: name.start)
        guard let folder = TemporaryFolder(in: name.parent, startingWith: name.start) else {
            throw BenchmarkFailure(message: "can't make a folder in /dev/shm")
        }
        // nginx workers run as another user.
        unsafe chmod(folder.path, 0o755)
        self.folder = folder
    }

    deinit { folder.remove() }

    func makeFolder(_ name: String) -> String {
        let folder = path + "/" + name
        unsafe mkdir(folder, 0o755)
        return folder
    }

    /// Empties a folder of this one.
    ///
    /// - Returns: Its path.
    @discardableResult
    func empty(_ name: String) -> String {
        FileTree.remove(path + "/" + name)
        return makeFolder(name)
    }

    func write(_ name: String, _ bytes: [UInt8], times: Int = 1) throws {
        let descriptor = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw BenchmarkFailure(message: "can't write \(name)") }
        defer { close(descriptor) }
        for _ in 0..<times {
            guard unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
                throw BenchmarkFailure(message: "/dev/shm is too small for \(name)")
            }
        }
    }

    func read(_ name: String) throws -> [UInt8] {
        let descriptor = unsafe open(path + "/" + name, O_RDONLY)
        guard descriptor >= 0 else { throw BenchmarkFailure(message: "can't read \(name)") }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return unsafe [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
            unsafe count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }
}
