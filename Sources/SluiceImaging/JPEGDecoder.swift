internal import CCodecs
internal import SluiceCore

/// Decodes JPEG with libjpeg-turbo: baseline and progressive, grey, colour and CMYK.
enum JPEGDecoder {
    /// Bytes that each coefficient takes while a file of several scans is decoded.
    private static let coefficientSize = 2
    /// One cause of a warning may stand in the header, and another at the end, where the library may pass over a rest.
    private static let repairLimit = 3

    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        guard let header = JPEGHeader(bytes) else { throw ImageFormat.jpeg.damaged("no frame header") }
        guard let decompressor = unsafe Decompressor() else {
            throw DownloadError(.ioError, "libjpeg-turbo could not start; is memory short?")
        }
        defer { unsafe decompressor.free() }
        let shape = try unsafe decompressor.readHeader(bytes)
        let orientation = Orientation(header.orientation)
        let isBuffered = header.isProgressive || isInSeveralScans(bytes, header)
        let extra =
            (isBuffered ? coefficientBytes(shape, header) : 0)
            + orientation.extraBytes(width: shape.width, height: shape.height)
        try limit.check(.jpeg, width: shape.width, height: shape.height, extraBytes: extra)
        let stored = try unsafe PixelBuffer.bitmap(width: shape.width, height: shape.height) { pixels in
            if let problem = unsafe decode(bytes, header, shape, by: decompressor, into: pixels) {
                return ImageFormat.jpeg.damaged(problem.message)
            }
            if shape.isCMYK { unsafe convertFromCMYK(pixels, isInverted: header.isAdobe) }
            return nil
        }
        let bitmap = orientation.apply(to: stored)
        return DecodedImage(
            info: ImageInfo(format: .jpeg, width: bitmap.width, height: bitmap.height),
            bitmap: bitmap
        )
    }

    private static func isInSeveralScans(_ bytes: Span<UInt8>, _ header: JPEGHeader) -> Bool {
        JPEGMarkers.channelsOfFirstScan(bytes).map { $0 < header.components } ?? false
    }

    /// The coefficients of a picture whose channels or details come one after the other: all are in memory at once.
    private static func coefficientBytes(_ shape: Shape, _ header: JPEGHeader) -> Int {
        let pixels = shape.width * shape.height
        // Black is stored as finely as the first ink, however coarse the others are.
        if shape.isCMYK { return pixels * coefficientSize * 4 }
        switch shape.subsampling {
        case TJSAMP_GRAY.rawValue: return pixels * coefficientSize
        case TJSAMP_420.rawValue, TJSAMP_411.rawValue: return pixels * coefficientSize * 3 / 2
        case TJSAMP_422.rawValue, TJSAMP_440.rawValue: return pixels * coefficientSize * 2
        default: return pixels * coefficientSize * max(1, header.components)
        }
    }

    /// Decodes; where the library warned of what is harmless, again without its cause.
    ///
    /// - Returns: What is wrong with the picture.
    private static func decode(
        _ bytes: Span<UInt8>,
        _ header: JPEGHeader,
        _ shape: Shape,
        by decompressor: Decompressor,
        into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Problem? {
        guard var problem = unsafe decompressor.decode(bytes, shape, into: pixels) else { return nil }
        guard problem.isWarning, var copy = JPEGRepair.repaired(bytes, header, against: problem.message)
        else { return problem }
        for _ in 0..<repairLimit {
            guard let next = unsafe decompressor.decode(copy.span, shape, into: pixels) else { return nil }
            problem = next
            guard next.isWarning, let again = JPEGRepair.repaired(copy.span, header, against: next.message),
                again != copy
            else { break }
            copy = again
        }
        return problem
    }

    /// Turns ink into light, pixel by pixel in place.
    private static func convertFromCMYK(_ pixels: UnsafeMutableBufferPointer<UInt8>, isInverted: Bool) {
        for offset in stride(from: 0, to: pixels.count, by: 4) {
            let black = unsafe Int(isInverted ? pixels[offset + 3] : 255 - pixels[offset + 3])
            for channel in offset..<offset + 3 {
                let ink = unsafe Int(isInverted ? pixels[channel] : 255 - pixels[channel])
                unsafe pixels[channel] = UInt8((ink * black + 127) / 255)
            }
            unsafe pixels[offset + 3] = 255
        }
    }

    private struct Shape {
        var width: Int
        var height: Int
        var subsampling: UInt32
        var isCMYK: Bool
    }

    private struct Problem {
        var message: String
        var isWarning: Bool
    }

    /// Owns one handle of the library.
    @unsafe private struct Decompressor {
        private let handle: tjhandle

        init?() {
            guard let handle = unsafe tjInitDecompress() else { return nil }
            unsafe self.handle = handle
        }

        func free() { unsafe tjDestroy(handle) }

        func readHeader(_ bytes: Span<UInt8>) throws(DownloadError) -> Shape {
            var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe tjDecompressHeader3(
                    handle,
                    buffer.baseAddress,
                    UInt(buffer.count),
                    &width,
                    &height,
                    &subsampling,
                    &space
                )
            }
            let current = unsafe problem
            // A sampling that has no name is an error there; it is decoded nevertheless.
            let isNameless = width > 0 && height > 0 && subsampling < 0 && space >= 0
            guard status == 0 || current.isWarning || isNameless else {
                throw ImageFormat.jpeg.damaged(current.message)
            }
            return Shape(
                width: Int(width),
                height: Int(height),
                subsampling: UInt32(bitPattern: subsampling),
                isCMYK: space == TJCS_CMYK.rawValue || space == TJCS_YCCK.rawValue
            )
        }

        func decode(
            _ bytes: Span<UInt8>,
            _ shape: Shape,
            into pixels: UnsafeMutableBufferPointer<UInt8>
        ) -> Problem? {
            let status = unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe tjDecompress2(
                    handle,
                    buffer.baseAddress,
                    UInt(buffer.count),
                    pixels.baseAddress,
                    Int32(shape.width),
                    Int32(shape.width * 4),
                    Int32(shape.height),
                    Int32((shape.isCMYK ? TJPF_CMYK : TJPF_RGBA).rawValue),
                    // A small file with thousands of scans would keep a thread busy for minutes.
                    TJFLAG_LIMITSCANS
                )
            }
            return status == 0 ? nil : unsafe problem
        }

        private var problem: Problem {
            let isWarning = unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
            let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) }
            return Problem(message: text ?? "unknown", isWarning: isWarning)
        }
    }
}
