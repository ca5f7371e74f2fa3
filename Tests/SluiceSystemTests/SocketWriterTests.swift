import CLinux
import Glibc
import SluiceSystem
import SluiceTestSupport
import Testing

/// Sending all there is, from the side that does not block.
@Suite(.timeLimit(.minutes(5)))
struct SocketWriterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func whatASocketDoesNotTakeNowGoesLater() throws {
        let (sender, receiver) = try connection()
        defer { for descriptor in [sender, receiver] { close(descriptor) } }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        var rest = bytes[...]
        var received: [UInt8] = []
        var waits = 0

        var outcome = SocketWriter.send(&rest, to: sender)
        while outcome == .wouldBlock {
            waits += 1
            received += try receive(from: receiver)
            outcome = SocketWriter.send(&rest, to: sender)
        }
        #expect(outcome == .sent && rest.isEmpty && waits > 0)

        while received.count < bytes.count { received += try receive(from: receiver) }
        let isWhole = received == bytes
        #expect(isWhole)
    }

    @Test func nothingIsSentAtOnce() throws {
        let (sender, receiver) = try connection()
        defer { for descriptor in [sender, receiver] { close(descriptor) } }
        var none: ArraySlice<UInt8> = []
        let outcome = SocketWriter.send(&none, to: sender)
        #expect(outcome == .sent)
    }

    @Test func whoeverIsGoneRaisesNoSignal() throws {
        let (sender, receiver) = try connection()
        defer { close(sender) }
        close(receiver)
        var rest: ArraySlice<UInt8> = [1, 2, 3]
        let outcome = SocketWriter.send(&rest, to: sender)
        let error = errno
        #expect(outcome == .gone && error == EPIPE && rest == [1, 2, 3])
    }

    /// A sender that does not block, and who is at its other end.
    private func connection() throws -> (sender: Int32, receiver: Int32) {
        let path = directory.path + "/s"
        let listener = unsafe sluice_unix_listen(path, 8)
        let receiver = unsafe sluice_unix_connect(path)
        let sender = sluice_accept(listener)
        close(listener)
        try #require(receiver >= 0 && sender >= 0)
        return (sender, receiver)
    }

    private func receive(from descriptor: Int32) throws -> ArraySlice<UInt8> {
        let size = 65_536
        var chunk = [UInt8](repeating: 0, count: size)
        let count = unsafe recv(descriptor, &chunk, size, 0)
        try #require(count > 0)
        return chunk[..<count]
    }
}
