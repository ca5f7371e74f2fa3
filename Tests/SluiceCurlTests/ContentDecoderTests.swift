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

    /// A body of which much is made between its codings, and nothing in the end.
    struct SilentBomb: Sendable, CustomTestStringConvertible {
        /// As `Content-Encoding` says it.
        let testDescription: String
        let codings: [ContentCoding]
        let start: [UInt8]
        /// May follow any number of times; each is 128 KiB between the codings.
        let block: [UInt8]
    }

    /// Where a body begins that zstd packed.
    private static let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38]
    /// 128 KiB of zeros, as a block of one byte that repeats.
    private static let zeros: [UInt8] = [0x02, 0x00, 0x10, 0x00]

    static let silentBombs = [
        // A frame that says that it holds 2 GiB for somebody else, which zstd passes over.
        SilentBomb(
            testDescription: "zstd, zstd",
            codings: [.zstd, .zstd],
            start: frame + [0x40, 0x00, 0x00, 0x50, 0x2A, 0x4D, 0x18, 0xFF, 0xFF, 0xFF, 0x7F],
            block: zeros
        ),
        // Members of gzip that hold nothing, made by the tools of zstd.
        SilentBomb(
            testDescription: "gzip, zstd",
            codings: [.gzip, .zstd],
            start: [
                0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68,
                0xE4, 0x00, 0x00, 0xA0, 0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x03, 0x00,
                0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0xD2, 0xFF, 0x2F, 0x9F, 0x4C,
                0x54, 0x00, 0x00, 0x00, 0x01, 0x00, 0xFD, 0xFF, 0xF7, 0xFF, 0xB9, 0x06, 0x02,
            ],
            block: [0x44, 0x00, 0x00, 0x00, 0x01, 0x00, 0xFD, 0xFF, 0x39, 0x00, 0x02]
        ),
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
        let bytes = Self.frame + Array(repeatElement(Self.zeros, count: 79).joined()) + [0x03, 0x00, 0x10, 0x00]
        let decoder = try #require(ContentDecoder([.zstd]))
        var (taken, total, longest) = (0, 0, 0)
        repeat {
            decoder.dropPiece()
            taken += try decoder.makePiece(from: bytes.span.extracting(taken..<bytes.count))
            total += decoder.piece.count
            longest = max(longest, decoder.piece.count)
        } while !decoder.piece.isEmpty
        #expect(total == 10_485_760, "as much as is never too much")
        #expect(longest == 16_384)
        #expect(taken == bytes.count && decoder.isComplete)
    }

    @Test func aBombIsStoppedWhoeverTakesItsPieces() throws {
        let bytes = Self.frame + Array(repeatElement(Self.zeros, count: 1000).joined())
        let decoder = try #require(ContentDecoder([.zstd]))
        var (taken, total) = (0, 0)
        var failure: DownloadError?
        do throws(DownloadError) {
            repeat {
                decoder.dropPiece()
                taken += try decoder.makePiece(from: bytes.span.extracting(taken..<bytes.count))
                total += decoder.piece.count
            } while !decoder.piece.isEmpty
        } catch {
            failure = error
        }
        #expect(failure?.code == .tooLarge)
        #expect((10_000_000...10_485_760).contains(total))
    }

    @Test(arguments: silentBombs) func aBombIsStoppedThoughNothingComesOfIt(_ bomb: SilentBomb) throws {
        let decoder = try #require(ContentDecoder(bomb.codings))
        var (input, count) = (bomb.start, 0)
        var failure: DownloadError?
        do throws(DownloadError) {
            while count < 1000, try decoder.makePiece(from: input.span) == input.count, decoder.piece.isEmpty {
                input = bomb.block
                count += 1
            }
        } catch {
            failure = error
        }
        #expect(failure?.code == .tooLarge)
        #expect((70...81).contains(count), "80 blocks are 10 MiB")
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
