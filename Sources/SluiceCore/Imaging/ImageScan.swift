/// Finds out, while the bytes of an image go by, what does not stand at its start.
///
/// That is how many frames a GIF or WebP has, how large a JPEG is that has a thumbnail or a profile before its frame
/// header, and how large an AVIF is whose boxes are long. It follows lengths from block to block and stops at what is no block, but for stray bytes between the markers
/// of a JPEG, which decoders pass over too. Pure.
public struct ImageScan: Sendable {
    private enum Step {
        case gifHeader
        case gifBlock
        case gifLabel
        case gifFrame
        /// Of a frame's pixels, before them the size of their codes.
        case gifPixels
        /// The length of a row's next piece; whether it is of a frame.
        case gifPiece(isOfFrame: Bool)
        case webpHeader
        case webpChunk
        /// The byte before the code of a marker, and that.
        case jpegMarker
        case jpegCode
        case jpegLength(marker: UInt8)
        case jpegSegment(marker: UInt8)
        case avifBox
        /// The length of a box that has no room for it at its start.
        case avifLength(isMeta: Bool)
        case avifMeta
        case over
    }

    /// Whole frames so far; of a still WebP, a JPEG and an AVIF none.
    public private(set) var frames = 0
    /// What the frame header of a JPEG or the `meta` box of an AVIF says, once it came by.
    public private(set) var info: ImageInfo?
    private var step: Step
    /// Bytes of a JPEG that may stand before its frame header: what goes on and on is none.
    private static let limit = 16 << 20
    /// Bytes of the `meta` box of an AVIF that are read; few have more than some thousand.
    private static let metaLimit = 262_144
    /// Bytes until ``limit``.
    private var left: Int
    /// Bytes to pass over before those of the step.
    private var skipped = 0
    /// Bytes that the step reads; at least 1.
    private var needed: Int
    /// The first of them, where they come in several chunks.
    private var held: [UInt8] = []
    /// Of a JPEG: what its header is read from, without the segments that say nothing of it.
    private var header: [UInt8] = [0xFF, 0xD8]

    /// - Parameter format: Of what comes, from its first byte on; `nil` is returned for those that need no look.
    public init?(_ format: ImageFormat) {
        left = format == .jpeg ? Self.limit : .max
        switch format {
        case .gif: (step, needed) = (.gifHeader, 13)
        case .webp: (step, needed) = (.webpHeader, 12)
        case .jpeg: (step, needed, skipped) = (.jpegMarker, 1, 2)
        case .avif: (step, needed) = (.avifBox, 8)
        case .png, .heif, .tiff, .bmp, .ico, .svg, .jxl, .jp2, .psd, .exr, .qoi: return nil
        }
    }

    /// Takes the next bytes.
    ///
    /// - Complexity: O(blocks that begin in them), which is at most one for each byte.
    public mutating func take(_ chunk: Span<UInt8>) {
        left -= min(left, chunk.count)
        var offset = 0
        while offset < chunk.count {
            if case .over = step { return }
            let rest = chunk.count - offset
            if skipped > 0 {
                let passed = min(skipped, rest)
                skipped -= passed
                offset += passed
            } else if held.isEmpty, rest >= needed {
                // Nearly all of them, which need not be copied.
                let end = offset + needed
                read(chunk.extracting(offset..<end))
                offset = end
            } else {
                let end = offset + min(rest, needed - held.count)
                for index in offset..<end { held.append(chunk[index]) }
                offset = end
                guard held.count == needed else { return }
                let bytes = held
                held = []
                read(bytes.span)
            }
        }
        if left == 0 { (step, header) = (.over, []) }
    }

    private mutating func go(_ next: Step, _ needed: Int, skipping count: Int = 0) {
        (step, self.needed, skipped) = (next, needed, count)
    }

    private mutating func read(_ bytes: Span<UInt8>) {
        switch step {
        case .gifHeader, .gifBlock, .gifLabel, .gifFrame, .gifPixels, .gifPiece: readGIF(bytes)
        case .webpHeader, .webpChunk: readWebP(bytes)
        case .jpegMarker, .jpegCode, .jpegLength, .jpegSegment: readJPEG(bytes)
        case .avifBox, .avifLength, .avifMeta: readAVIF(bytes)
        case .over: break
        }
    }

    // MARK: GIF

    private mutating func readGIF(_ bytes: Span<UInt8>) {
        switch step {
        case .gifHeader: go(.gifBlock, 1, skipping: Self.tableSize(bytes[10]))
        case .gifBlock where bytes[0] == 0x21: go(.gifLabel, 1)
        case .gifBlock where bytes[0] == 0x2C: go(.gifFrame, 9)
        case .gifLabel: go(.gifPiece(isOfFrame: false), 1)
        case .gifFrame: go(.gifPixels, 1, skipping: Self.tableSize(bytes[8]))
        case .gifPixels: go(.gifPiece(isOfFrame: true), 1)
        case .gifPiece where bytes[0] > 0: skipped = Int(bytes[0])
        case .gifPiece(let isOfFrame):
            if isOfFrame { frames += 1 }
            go(.gifBlock, 1)
        default: step = .over
        }
    }

    /// Bytes of the colour table that a packed field of a GIF announces.
    package static func tableSize(_ packed: UInt8) -> Int { packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 7) + 1) }

    // MARK: WebP

    private mutating func readWebP(_ bytes: Span<UInt8>) {
        if case .webpHeader = step { return go(.webpChunk, 8) }
        // Eight bytes are there, so it is.
        let size = bytes.little32(at: 4) ?? 0
        if bytes.matches("ANMF") { frames += 1 }
        // An odd length is filled up with one byte.
        go(.webpChunk, 8, skipping: size + size & 1)
    }

    // MARK: JPEG

    private mutating func readJPEG(_ bytes: Span<UInt8>) {
        switch step {
        case .jpegMarker where bytes[0] == 0xFF: go(.jpegCode, 1)
        // What is no marker is passed over, as decoders do.
        case .jpegMarker: break
        case .jpegCode:
            switch bytes[0] {
            // Any number of 0xFF may stand before a code.
            case 0xFF: break
            case 0x00, 0x01, 0xD0...0xD8: go(.jpegMarker, 1)
            case 0xD9, 0xDA: step = .over
            default: go(.jpegLength(marker: bytes[0]), 2)
            }
        case .jpegLength(let marker):
            guard let length = bytes.big16(at: 0), length >= 2 else {
                step = .over
                return
            }
            // One EXIF segment says which way up the picture is; others would only fill memory.
            let isTelling = (marker == 0xE1 && header.count == 2) || JPEGHeader.isFrame(marker)
            if isTelling, length > 2 { return go(.jpegSegment(marker: marker), length - 2) }
            go(.jpegMarker, 1, skipping: length - 2)
        case .jpegSegment(let marker):
            header += [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)]
            for index in bytes.indices { header.append(bytes[index]) }
            go(.jpegMarker, 1)
            if JPEGHeader.isFrame(marker) {
                info = ImageInfo.read(header.span, as: .jpeg)
                (step, header) = (.over, [])
            } else if !bytes.matches("Exif\0\0") || EXIF.orientation(bytes) == 1 {
                header.removeLast(bytes.count + 4)
            }
        default: step = .over
        }
    }

    // MARK: AVIF

    /// - SeeAlso: ISO/IEC 14496-12 §4.2 for the lengths of boxes.
    private mutating func readAVIF(_ bytes: Span<UInt8>) {
        switch step {
        case .avifBox:
            let isMeta = bytes.matches("meta", at: 4)
            switch bytes.big32(at: 0) ?? 0 {
            // To the end of the file, which nobody knows.
            case 0: step = .over
            case 1: go(.avifLength(isMeta: isMeta), 8)
            case let size: pass(size - 8, isMeta: isMeta)
            }
        case .avifLength(let isMeta):
            // With more than half of that there is no file.
            guard let high = bytes.big32(at: 0), let low = bytes.big32(at: 4), high < 1 << 30 else {
                step = .over
                return
            }
            pass((high << 32) + low - 16, isMeta: isMeta)
        case .avifMeta:
            var box: [UInt8] = [0, 0, 0, 0] + Array("meta".utf8)
            box.reserveCapacity(8 + bytes.count)
            for index in bytes.indices { box.append(bytes[index]) }
            info = ImageInfo.read(box.span, as: .avif)
            step = .over
        default: step = .over
        }
    }

    private mutating func pass(_ count: Int, isMeta: Bool) {
        if count < 0 || (isMeta && count == 0) {
            step = .over
        } else if isMeta {
            go(.avifMeta, min(count, Self.metaLimit))
        } else {
            go(.avifBox, 8, skipping: count)
        }
    }
}
