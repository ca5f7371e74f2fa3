import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluicePipeline

struct ChecksumJobTests {
    private func run(_ bytes: [UInt8], count: Int) throws -> Result<String, DownloadError> {
        let directory = try TemporaryDirectory()
        let descriptor = unsafe open(directory.path + "/body", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        try #require(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        return ChecksumJob(descriptor: descriptor, count: count).run()
    }

    /// A part may have bytes that what continues it does not use.
    @Test(arguments: [0, 1, 262_144, 262_145, 600_000])
    func onlyTheBytesOfTheBodyAreSummedUp(count: Int) throws {
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(try run(bytes, count: count) == .success(sha256(Array(bytes.prefix(count)))))
    }

    @Test func aFileThatEndsBeforeItsBodyIsAnError() throws {
        guard case .failure(let error) = try run([1, 2, 3], count: 4) else { throw Failure() }
        #expect(error.code == .ioError)
    }

    private struct Failure: Error {}
}
