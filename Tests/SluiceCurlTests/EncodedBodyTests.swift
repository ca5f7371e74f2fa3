import SluiceCore
import SluiceCurl
import Testing

/// Bodies with codings over the wire: whole, cut off, damaged, and paused.
@Suite(.timeLimit(.minutes(5)))
struct EncodedBodyTests {
    /// How the end of a body shows on the wire.
    enum Framing: CaseIterable {
        case close
        case chunks
        case length
    }

    static let codings: [(field: String, bytes: [UInt8])] = [
        ("gzip", PackedText.gzip), ("X-GZIP", PackedText.gzip), ("deflate", PackedText.zlib),
        ("deflate", PackedText.bare), ("br", PackedText.brotli), ("zstd", PackedText.zstandard),
        ("gzip, br", PackedText.gzipThenBrotli), ("gzip\r\nContent-Encoding: br", PackedText.gzipThenBrotli),
        ("identity, gzip", PackedText.gzip), ("gzip", PackedText.gzip + PackedText.gzip),
    ]

    @Test(arguments: codings, Framing.allCases)
    func wholeBodiesArriveDecoded(_ coding: (field: String, bytes: [UInt8]), _ framing: Framing) async {
        let server = ScriptedServer(["/a": Self.answer(coding.field, coding.bytes, framing)])
        await withClient { client in
            for pausing in [TestSink.Behaviour.collect, .pauseEveryChunk] {
                let fetched = await client.fetch(server.url("/a"), pausing)
                #expect(fetched.error == nil)
                let count = coding.bytes.count == 2 * PackedText.gzip.count ? 2 : 1
                #expect(fetched.text == String(repeating: PackedText.text, count: count))
                #expect(fetched.sent == coding.bytes.count)
                #expect(fetched.received == fetched.received.sorted())
                #expect(fetched.received.last == coding.bytes.count)
            }
        }
        server.stop()
    }

    @Test(arguments: codings, Framing.allCases)
    func aBodyThatIsCutOffIsNotWhole(_ coding: (field: String, bytes: [UInt8]), _ framing: Framing) async {
        let half = Array(coding.bytes.prefix(coding.bytes.count / 2 + 20))
        let server = ScriptedServer(["/a": Self.answer(coding.field, half, framing)])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .truncated)
            #expect(fetched.error?.message.contains("data; try again") == true)
            #expect(fetched.sent == half.count)
        }
        server.stop()
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"], Framing.allCases)
    func anEmptyBodyIsNoEncodedOne(coding: String, framing: Framing) async {
        let server = ScriptedServer(["/a": Self.answer(coding, [], framing)])
        await withClient { client in
            #expect(await client.fetch(server.url("/a")).code == .truncated)
        }
        server.stop()
    }

    @Test func answersWithoutABodyMaySayThatItIsEncoded() async {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 90\r\n\r\n"
        let server = ScriptedServer([
            "/head": [.text(head)],
            "/204": [.text("HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n")],
            "/304": [.text("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n")],
            "/404": Self.answer("gzip", [], .length, status: "404 Not Found"),
            "/post": Self.answer("gzip", [], .length),
        ])
        await withClient { client in
            var request = TransferRequest(url: server.url("/head"))
            request.method = "HEAD"
            #expect(await client.fetch(request).error == nil)
            for path in ["/204", "/304", "/404"] { #expect(await client.fetch(server.url(path)).error == nil) }
            request = TransferRequest(url: server.url("/post"))
            request.method = "POST"
            #expect(await client.fetch(request).error == nil)
        }
        server.stop()
    }

    @Test func aPartOfAnEncodedFileHasNoEndOfItsOwn() async {
        let part = Array(PackedText.gzip.prefix(300))
        let server = ScriptedServer(["/a": Self.answer("gzip", part, .length, status: "206 Partial Content")])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.headers = [HeaderField("Range", "bytes=0-299")]
            let fetched = await client.fetch(request)
            #expect(fetched.error == nil)
            #expect(PackedText.text.hasPrefix(fetched.text) && !fetched.text.isEmpty)
        }
        server.stop()
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func damagedDataIsNamed(coding: String) async {
        // No first byte of anything, which brotli alone would wait behind.
        let damage = [UInt8](repeating: 0xFF, count: 300)
        let server = ScriptedServer(["/a": Self.answer(coding, damage, .length)])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .badResponse)
            #expect(fetched.error?.message == "the server's \(coding) data is damaged; try again")
            #expect(fetched.sent == damage.count, "what came, came")
        }
        server.stop()
    }

    @Test func anUnknownCodingFailsAtTheFirstByte() async {
        let server = ScriptedServer([
            "/a": Self.answer("gzip, compress", PackedText.gzip, .length),
            "/none": Self.answer("compress", [], .length),
            "/six": Self.answer("gzip, gzip, gzip, gzip, gzip, gzip", PackedText.gzip, .length),
        ])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .badResponse)
            #expect(fetched.error?.message.contains("encoded as compress") == true)
            #expect(await client.fetch(server.url("/none")).error == nil)
            #expect(await client.fetch(server.url("/six")).code == .badResponse)
        }
        server.stop()
    }

    @Test func codingsOfTheTransferAreUndoneToo() async {
        let packed = PackedText.gzip
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n\(String(packed.count, radix: 16))\r\n"
        let answer: [ScriptedServer.Step] = [.text(head), .send(packed), .text("\r\n0\r\n\r\n")]
        let server = ScriptedServer(["/a": answer])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == PackedText.text)
            #expect(fetched.heads.first?.isEncoded == false, "the file has no coding")
            #expect(fetched.heads.first?.isUnpacked == true)
        }
        server.stop()
    }

    @Test(arguments: ContentDecoderTests.silentBombs, Framing.allCases)
    func aBombIsStoppedThoughNothingComesOfIt(_ bomb: ContentDecoderTests.SilentBomb, _ framing: Framing) async {
        let bytes = bomb.start + Array(repeatElement(bomb.block, count: 10_000).joined())
        let server = ScriptedServer(["/a": Self.answer(bomb.testDescription, bytes, framing)])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .tooLarge)
            #expect(fetched.body.isEmpty && fetched.sent < bytes.count)
        }
        server.stop()
    }

    @Test func bodiesOfAnswersThatLeadElsewhereAreNotDecoded() async {
        let fields = "Content-Encoding: gzip\r\nLocation: /b\r\n"
        let server = ScriptedServer([
            "/a": Answers.status("302 Found", fields, body: "moved"), "/b": Answers.ok("hello"),
        ])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == "hello" && fetched.error == nil)
        }
        server.stop()
    }

    @Test func aLargeBodyPausesWithinEveryChunk() async {
        // Three members of 60,000 bytes: more than curl brings at once, and pieces end within members.
        let content = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let packed = Array(repeatElement(Answers.gzip(content), count: 3).joined())
        for framing in Framing.allCases {
            let server = ScriptedServer(["/a": Self.answer("gzip", packed, framing)])
            await withClient { client in
                let fetched = await client.fetch(server.url("/a"), .pauseEveryChunk)
                #expect(fetched.body == content + content + content)
                #expect(fetched.pauses >= 12)
                #expect(fetched.sent == packed.count && fetched.error == nil)
            }
            server.stop()
        }
    }

    private static func answer(
        _ coding: String,
        _ bytes: [UInt8],
        _ framing: Framing,
        status: String = "200 OK"
    ) -> [ScriptedServer.Step] {
        let head = "HTTP/1.1 \(status)\r\nContent-Encoding: \(coding)\r\n"
        switch framing {
        case .close: return [.text(head + "Connection: close\r\n\r\n"), .send(bytes), .close]
        case .length: return [.text(head + "Content-Length: \(bytes.count)\r\n\r\n"), .send(bytes)]
        case .chunks:
            let size = String(bytes.count, radix: 16)
            let chunk = bytes.isEmpty ? [] : Array("\(size)\r\n".utf8) + bytes + Array("\r\n".utf8)
            return [.text(head + "Transfer-Encoding: chunked\r\n\r\n"), .send(chunk + Array("0\r\n\r\n".utf8))]
        }
    }
}
