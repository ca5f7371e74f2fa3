import SluiceCore
import Testing

@testable import SluiceCurl

/// What bodies unpack to, and where they may end.
struct ContentDecoderTests {
    struct Packed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let codings: [ContentCoding]
        let bytes: [UInt8]

        init(_ name: String, _ codings: [ContentCoding], _ bytes: [UInt8]) {
            (testDescription, self.codings, self.bytes) = (name, codings, bytes)
        }
    }

    static let all = [
        Packed("gzip", [.gzip], PackedText.gzip),
        Packed("deflate", [.deflate], PackedText.zlib),
        Packed("bare deflate", [.deflate], PackedText.bare),
        Packed("br", [.brotli], PackedText.brotli),
        Packed("zstd", [.zstd], PackedText.zstandard),
        Packed("gzip, br", [.gzip, .brotli], PackedText.gzipThenBrotli),
    ]

    @Test(arguments: all) func bodiesUnpackInPiecesOfAnySize(_ packed: Packed) throws {
        for size in [1, 2, 3, 100, packed.bytes.count] {
            let unpacked = try unpack(packed.codings, packed.bytes, chunk: size)
            #expect(unpacked.text == PackedText.text && unpacked.isComplete, "\(size)")
        }
    }

    @Test(arguments: all) func noBodyMayEndBeforeItsEnd(_ packed: Packed) throws {
        for count in packed.bytes.indices {
            let unpacked = try unpack(packed.codings, Array(packed.bytes.prefix(count)), chunk: 50)
            #expect(!unpacked.isComplete, "after \(count) bytes")
            #expect(PackedText.text.hasPrefix(unpacked.text))
        }
    }

    @Test(arguments: all) func whatFollowsTheEndIsDamage(_ packed: Packed) {
        for chunk in [1, 10_000] {
            #expect(throws: DownloadError.self) {
                try unpack(packed.codings, packed.bytes + Array("no more".utf8), chunk: chunk)
            }
        }
    }

    @Test func membersAndFramesMayFollowEachOther() throws {
        for (coding, bytes) in [(ContentCoding.gzip, PackedText.gzip), (.zstd, PackedText.zstandard)] {
            for chunk in [1, bytes.count, 10_000] {
                let unpacked = try unpack([coding], bytes + bytes, chunk: chunk)
                #expect(unpacked.text == PackedText.text + PackedText.text && unpacked.isComplete)
            }
            #expect(try !unpack([coding], bytes + bytes.prefix(30), chunk: 10_000).isComplete)
        }
    }

    @Test func bareDeflateMayHaveAChecksumBehindIt() throws {
        #expect(try unpack([.deflate], PackedText.bare + [1, 2, 3, 4], chunk: 3).isComplete)
    }

    @Test(arguments: all) func damageIsNamedAfterItsCoding(_ packed: Packed) throws {
        var bytes = packed.bytes
        bytes.replaceSubrange(2..<60, with: repeatElement(0xFF, count: 58))
        let error = #expect(throws: DownloadError.self) {
            // Where the damage makes sense to the coding, the end is not reached.
            if try !unpack(packed.codings, bytes, chunk: 64).isComplete { throw DownloadError(.badResponse, "data") }
        }
        #expect(error?.code == .badResponse)
        #expect(error?.message.contains("data") == true)
    }

    @Test func manyPiecesComeOfFewBytes() throws {
        // 16 MiB of zeros, each block of which repeats one byte.
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x00]
        let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
        let bytes = header + Array(repeatElement(block, count: 127).joined()) + [0x03, 0x00, 0x10, 0x00]
        let decoder = try #require(ContentDecoder([.zstd]))
        var (taken, total, longest) = (0, 0, 0)
        repeat {
            decoder.dropPiece()
            taken += try decoder.makePiece(from: bytes.span.extracting(taken..<bytes.count))
            total += decoder.piece.count
            longest = max(longest, decoder.piece.count)
        } while !decoder.piece.isEmpty
        #expect(total == 128 * 131_072)
        #expect(longest == 16_384)
        #expect(taken == bytes.count && decoder.isComplete)
    }

    @Test func aWindowThatTakesTooMuchMemoryIsRefused() {
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x70, 0x03, 0x00, 0x10, 0x00]
        #expect(throws: DownloadError.self) { try unpack([.zstd], frame, chunk: 100) }
    }

    @Test func codingsAreReadFromLists() throws {
        #expect(try ContentCoding.read(["GZip , identity", "br"]) == [.gzip, .brotli])
        #expect(try ContentCoding.read(["x-gzip", "none,deflate,,zstd"]) == [.gzip, .deflate, .zstd])
        #expect(try ContentCoding.read(["compress"]) == [.unknown("compress")])
        #expect(try ContentCoding.read(["gzip, gzip, gzip, gzip, gzip"]).count == 5)
        #expect(throws: DownloadError.self) { try ContentCoding.read(["gzip, gzip, gzip", "gzip, gzip, gzip"]) }
    }

    private func unpack(
        _ codings: [ContentCoding],
        _ bytes: [UInt8],
        chunk: Int
    ) throws -> (text: String, isComplete: Bool) {
        let decoder = try #require(ContentDecoder(codings))
        var unpacked: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var input = rest.prefix(chunk)
            rest = rest.dropFirst(chunk)
            repeat {
                input = input.dropFirst(try decoder.makePiece(from: input.span))
                unpacked += decoder.piece
                let isDone = decoder.piece.isEmpty
                decoder.dropPiece()
                if isDone { break }
            } while true
            #expect(input.isEmpty)
        }
        return (String(decoding: unpacked, as: UTF8.self), decoder.isComplete)
    }
}
