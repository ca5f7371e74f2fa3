import SluiceCore
import Testing

@testable import SluiceCurl

/// How much of one transfer a turn takes, behind which all others wait.
@Suite(.timeLimit(.minutes(5)))
struct TurnTests {
    @Test func aChunkExtensionWithoutEndKeepsNobody() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;"
        let million = ScriptedServer.Step.send([UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20))
        let steps = [.text(head)] + [ScriptedServer.Step](repeating: million, count: 512)
        let server = ScriptedServer(["/a": steps + [.text("\r\nhello\r\n0\r\n\r\n")]])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(3_600))
        var (before, most) = (0, 0)
        for _ in 0..<1_000_000 where transfer.result == nil {
            transfer.turn()
            let sent = server.sent
            (most, before) = (max(most, sent - before), sent)
        }
        #expect(transfer.sink.fetched.text == "hello")
        // A turn is three calls of curl's at most, each of a hundred reads of 256 KiB, and what the kernel holds.
        #expect(most < 128 << 20, "\(most >> 20) MiB in one turn")
        server.stop()
    }

    @Test func aBodyThatIsUnpackedHasItsPartOfATurn() {
        let body = [UInt8](repeating: UInt8(ascii: "b"), count: 16 << 20)
        let packed = Answers.zlib(body)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = ScriptedServer(["/a": [.text(head), .send(packed)]])
        let transfer = DrivenTransfer(TransferRequest(url: server.url("/a")), timeout: .seconds(3_600))
        var (before, most) = (0, 0)
        for _ in 0..<1_000_000 where transfer.result == nil {
            transfer.turn()
            let count = transfer.sink.fetched.body.count
            (most, before) = (max(most, count - before), count)
        }
        #expect(transfer.sink.fetched.body == body)
        #expect(most <= TransportState.mostUnpacked + 65_536, "\(most) bytes in one turn")
        server.stop()
    }
}
