import SluiceCore
import SluicePictures
import Testing

@testable import SluiceImaging

/// What libjpeg warns of is forgiven where the picture is whole nevertheless, and hides nothing else.
struct JPEGRepairTests {
    private static let whole = ImageEncoder.jpeg(TestImages.gradient(128, 96), quality: 95, color: .full)

    private static func markers(_ file: [UInt8]) -> [JPEGMarkers.Marker] {
        var (cursor, markers) = (JPEGMarkers(), [JPEGMarkers.Marker]())
        while let marker = cursor.next(file.span) { markers.append(marker) }
        return markers
    }

    private static func first(_ code: UInt8, in file: [UInt8]) throws -> JPEGMarkers.Marker {
        let marker = markers(file).first { $0.code == code }
        return try #require(marker)
    }

    private static func inserting(_ bytes: [UInt8], at place: Int, in file: [UInt8]) -> [UInt8] {
        Array(file[..<place]) + bytes + Array(file[place...])
    }

    /// A file with a fault that no picture suffers from.
    private static func faulty(_ fault: String, _ file: [UInt8]) throws -> [UInt8] {
        var copy = file
        switch fault {
        case "revision":
            let place = try first(JPEGMarkers.Marker.jfif, in: file).content.lowerBound
            copy[place + 5] = 2
        case "transform":
            let place = try first(JPEGMarkers.Marker.adobe, in: file).content.lowerBound
            copy[place + 11] = 7
        case "coefficients":
            let end = try first(JPEGMarkers.Marker.scan, in: file).content.upperBound
            copy.replaceSubrange(end - 3..<end, with: [1, 0, 0])
        case "between segments":
            let place = try first(JPEGMarkers.Marker.scan, in: file).start
            copy = inserting([1, 2, 3], at: place, in: file)
        case "zeros at the end":
            let place = try first(JPEGMarkers.Marker.end, in: file).start
            copy = inserting([UInt8](repeating: 0, count: 5_000), at: place, in: file)
        default:
            let place = try first(JPEGMarkers.Marker.end, in: file).start
            copy = inserting([UInt8](repeating: 7, count: 40), at: place, in: file)
        }
        return copy
    }

    /// Half of the picture data, and then an end as if that were all.
    private static func cut(_ file: [UInt8]) throws -> [UInt8] {
        let start = try first(JPEGMarkers.Marker.scan, in: file).content.upperBound
        let end = try first(JPEGMarkers.Marker.end, in: file).start
        var middle = (start + end) / 2
        if file[middle - 1] == 0xFF { middle -= 1 }
        return Array(file[..<middle]) + [0xFF, 0xD9]
    }

    private static let headerFaults = ["revision", "coefficients", "between segments"]

    @Test(arguments: headerFaults + ["zeros at the end", "a few at the end"])
    func faultsThatNoPictureSuffersFromAreForgiven(fault: String) throws {
        let file = try Self.faulty(fault, Self.whole)
        #expect(file != Self.whole)
        let expected = try TestImages.decode(Self.whole).bitmap
        let bitmap = try TestImages.decode(file).bitmap
        #expect(TestImages.difference(bitmap, expected) == 0)
    }

    @Test func severalFaultsAreForgiven() throws {
        var file = Self.whole
        for fault in Self.headerFaults + ["a few at the end"] { file = try Self.faulty(fault, file) }
        let expected = try TestImages.decode(Self.whole).bitmap
        let bitmap = try TestImages.decode(file).bitmap
        #expect(TestImages.difference(bitmap, expected) == 0)
    }

    @Test func unknownInksAreTheUsualOnes() throws {
        let inks = ImageEncoder.jpeg(TestImages.gradient(32, 32), color: .cmyk)
        let expected = try TestImages.decode(inks).bitmap
        let bitmap = try TestImages.decode(try Self.faulty("transform", inks)).bitmap
        #expect(TestImages.difference(bitmap, expected) == 0)
    }

    // Zeros are left out: as picture data they say something, too.
    @Test(arguments: headerFaults + ["a few at the end", "none"])
    func aFaultHidesNoDamage(fault: String) throws {
        let file = try Self.cut(Self.whole)
        let faulty = fault == "none" ? file : try Self.faulty(fault, file)
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(faulty) }
        #expect(error?.code == .badImage)
    }

    @Test(arguments: headerFaults)
    func theEndOfACopyInTheNotesIsNotThatOfThePicture(fault: String) throws {
        let small = ImageEncoder.jpeg(TestImages.gradient(16, 12))
        let notes = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\0\0\0\0\0".utf8) + small
        let length = notes.count + 2
        let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + notes
        let file = try Self.faulty(fault, Self.inserting(segment, at: 2, in: Self.whole))

        #expect(throws: Never.self) { try TestImages.decode(file) }
        let half = Array(file.prefix(file.count - Self.whole.count / 4))
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(half) }
        #expect(error?.code == .badImage)
    }

    @Test func muchBeforeTheEndIsDamage() throws {
        let end = try Self.first(JPEGMarkers.Marker.end, in: Self.whole).start
        let file = Self.inserting([UInt8](repeating: 7, count: 200), at: end, in: Self.whole)
        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file) }
        #expect(error?.code == .badImage && error?.message.contains("extraneous") == true)
    }

    @Test func whatIsNoHarmlessWarningIsNotRepaired() throws {
        let bytes = Self.whole
        let header = JPEGHeader(bytes.span)
        let known = try #require(header)
        for warning in ["Premature end of JPEG file", "Corrupt JPEG data: bad Huffman code", ""] {
            let copy = JPEGRepair.repaired(bytes.span, known, against: warning)
            #expect(copy == nil)
        }
        let excess = "Corrupt JPEG data: 1000000 extraneous bytes before marker 0xd9"
        let copy = JPEGRepair.repaired(bytes.span, known, against: excess)
        #expect(copy == nil, "more than there are")
    }

    /// TurboJPEG has a name for neither, and decodes both.
    @Test(arguments: [UInt8(0x14), 0x41]) func samplingsWithoutANameAreDecoded(sampling: UInt8) throws {
        var file = ImageEncoder.jpeg(TestImages.gradient(64, 64), color: .quarter)
        let frame = try Self.first(0xC0, in: file).content.lowerBound
        #expect(file[frame + 7] == 0x22)
        file[frame + 7] = sampling
        let image = try TestImages.decode(file)
        #expect((image.info.width, image.info.height) == (64, 64))
    }

    /// A grey picture three times: its channels come one after the other, as in a progressive file.
    @Test func channelsOneAfterTheOtherCountAsMemory() throws {
        let grey = ImageEncoder.jpeg(TestImages.gradient(64, 64), color: .grey)
        let frame = try Self.first(0xC0, in: grey)
        let scan = try Self.first(JPEGMarkers.Marker.scan, in: grey)
        let data = Array(grey[scan.content.upperBound..<(grey.count - 2)])
        let channels: [UInt8] = (1...3).flatMap { [$0, 0x11, 0] }
        let size = Array(grey[frame.content].prefix(5))
        var file = Array(grey[..<frame.start]) + [0xFF, 0xC0, 0, 17] + size
        file += [3] + channels
        file += grey[frame.content.upperBound..<scan.start]
        for channel in 1...3 as ClosedRange<UInt8> { file += [0xFF, 0xDA, 0, 8, 1, channel, 0, 0, 63, 0] + data }
        file += [0xFF, 0xD9]

        let error = #expect(throws: DownloadError.self) { try TestImages.decode(file, maxPixels: 4_096) }
        #expect(error?.code == .tooLarge)
        #expect(throws: Never.self) { try TestImages.decode(file, maxPixels: 5_120) }
    }
}
