internal import CCodecs
internal import SluiceCore

/// Decodes JPEG with libjpeg-turbo: baseline and progressive, grey, colour and CMYK.
enum JPEGDecoder {
    /// Bytes that each coefficient takes while a progressive file is decoded.
    private static let coefficientSize = 2
    /// Warnings about files that are whole nevertheless.
    private static let harmlessWarnings = [
        "extraneous bytes before marker", "unknown JFIF revision", "Unknown Adobe color transform",
        "Invalid SOS parameters for sequential",
    ]

    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        guard let header = JPEGHeader(bytes) else { throw ImageFormat.jpeg.damaged("no frame header") }
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            guard let decompressor = unsafe Decompressor() else {
                throw DownloadError(.ioError, "libjpeg-turbo could not start; is memory short?")
            }
            defer { unsafe decompressor.free() }
            let shape = try unsafe decompressor.readHeader(buffer)
            let orientation = Orientation(header.orientation)
            let extra =
                extraBytes(shape, header) + orientation.extraBytes(width: shape.width, height: shape.height)
            try limit.check(.jpeg, width: shape.width, height: shape.height, extraBytes: extra)
            let stored = try unsafe PixelBuffer.bitmap(width: shape.width, height: shape.height) { pixels in
                let problem = unsafe decompressor.decode(buffer, shape, into: pixels)
                if let problem, unsafe !problem.isWarning || !isHarmless(problem.message) || !hasEnd(buffer) {
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
    }

    /// The coefficients of a progressive picture, which are all in memory at once.
    private static func extraBytes(_ shape: Shape, _ header: JPEGHeader) -> Int {
        guard header.isProgressive else { return 0 }
        let pixels = shape.width * shape.height
        switch shape.subsampling {
        case TJSAMP_GRAY.rawValue: return pixels * coefficientSize
        case TJSAMP_420.rawValue, TJSAMP_411.rawValue: return pixels * coefficientSize * 3 / 2
        case TJSAMP_422.rawValue, TJSAMP_440.rawValue: return pixels * coefficientSize * 2
        default: return pixels * coefficientSize * max(1, header.components)
        }
    }

    /// Whether an end marker follows the start of the picture data.
    private static func hasEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasStarted = false
        for offset in 0..<max(0, bytes.count - 1) where unsafe bytes[offset] == 0xFF {
            let marker = unsafe bytes[offset + 1]
            if marker == 0xDA { hasStarted = true }
            if hasStarted, marker == 0xD9 { return true }
        }
        return false
    }

    private static func isHarmless(_ warning: String) -> Bool { harmlessWarnings.contains { warning.contains($0) } }

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

        func readHeader(_ bytes: UnsafeBufferPointer<UInt8>) throws(DownloadError) -> Shape {
            var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let status = unsafe tjDecompressHeader3(
                handle,
                bytes.baseAddress,
                UInt(bytes.count),
                &width,
                &height,
                &subsampling,
                &space
            )
            let current = unsafe problem
            guard status == 0 || current.isWarning else { throw ImageFormat.jpeg.damaged(current.message) }
            return Shape(
                width: Int(width),
                height: Int(height),
                subsampling: UInt32(bitPattern: subsampling),
                isCMYK: space == TJCS_CMYK.rawValue || space == TJCS_YCCK.rawValue
            )
        }

        func decode(
            _ bytes: UnsafeBufferPointer<UInt8>,
            _ shape: Shape,
            into pixels: UnsafeMutableBufferPointer<UInt8>
        ) -> Problem? {
            let status = unsafe tjDecompress2(
                handle,
                bytes.baseAddress,
                UInt(bytes.count),
                pixels.baseAddress,
                Int32(shape.width),
                Int32(shape.width * 4),
                Int32(shape.height),
                Int32((shape.isCMYK ? TJPF_CMYK : TJPF_RGBA).rawValue),
                // A small file with thousands of scans would keep a thread busy for minutes.
                TJFLAG_LIMITSCANS
            )
            return status == 0 ? nil : unsafe problem
        }

        private var problem: Problem {
            let isWarning = unsafe tjGetErrorCode(handle) == TJERR_WARNING.rawValue
            let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) }
            return Problem(message: text ?? "unknown", isWarning: isWarning)
        }
    }
}
