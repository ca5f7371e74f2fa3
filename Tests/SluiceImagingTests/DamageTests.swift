import SluiceCore
import SluiceImaging
import SluicePictures
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DamageTests {
    @Test(arguments: TestImages.files.map(\.name)) func everyTruncationIsAnError(name: String) throws {
        let file = try #require(TestImages.files.first { $0.name == name })
        var accepted: [Int] = []
        for count in 0..<file.bytes.count {
            do {
                _ = try TestImages.decode(Array(file.bytes.prefix(count)))
                accepted.append(count)
            } catch {
                #expect(error.code == .badImage)
            }
        }
        #expect(accepted == [])
    }

    @Test(arguments: TestImages.files.map(\.name)) func damagedBytesNeverCrash(name: String) throws {
        let file = try #require(TestImages.files.first { $0.name == name })
        var random = SplitMix(state: name.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) })
        var outcomes = (decoded: 0, refused: 0)
        for round in 0..<2000 {
            var bytes = file.bytes
            for _ in 0..<(round.isMultiple(of: 2) ? 1 : 1 + Int(random.next() % 12)) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            do {
                let image = try TestImages.decode(bytes)
                #expect(image.bitmap.width > 0 && image.bitmap.height > 0 && image.info.frames > 0)
                outcomes.decoded += 1
            } catch {
                #expect([.badImage, .tooLarge, .unsupported].contains(error.code))
                outcomes.refused += 1
            }
        }
        #expect(outcomes.decoded + outcomes.refused == 2000)
        #expect(outcomes.refused > 100, "damage is noticed")
    }

    @Test func bytesBehindAnImageAreIgnored() throws {
        for file in TestImages.files {
            let image = try TestImages.decode(file.bytes + [0, 1, 2, 3])
            #expect(image.info.format == file.format, "\(file.name)")
        }
    }

    @Test func strayBytesBeforeTheEndOfAJPEGAreForgiven() throws {
        let whole = ImageEncoder.jpeg(TestImages.gradient(21, 13))
        let stray = Array(whole.dropLast(2)) + [1, 2, 3]

        let image = try TestImages.decode(stray + whole.suffix(2))

        #expect(image.bitmap.pixels == (try TestImages.decode(whole)).bitmap.pixels)
        #expect(throws: DownloadError.self) { try TestImages.decode(stray) }
    }

    @Test func severalThreadsDecodeAtOnce() async throws {
        let reference = try TestImages.files.map { try TestImages.decode($0.bytes).bitmap.pixels }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                let index = index % reference.count
                group.addTask { try TestImages.decode(TestImages.files[index].bytes).bitmap.pixels == reference[index] }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
    }
}

/// A small generator with a fixed seed, so that a failure can be repeated.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
