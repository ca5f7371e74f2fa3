internal import CCodecs
internal import SluiceCore

/// Decodes AVIF with libavif: still pictures and sequences.
///
/// The library brings dozens of others with it, so it is loaded with the first AVIF file
/// and not at the start. Where it is missing, AVIF files are kept as data.
enum AVIFDecoder {
    /// The loaded library, for the life of the process; `nil` if it is missing or of another version.
    private static let library: Library? = Library()

    static func decode(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) -> DecodedImage {
        guard let library else {
            throw DownloadError(
                .unsupported,
                "AVIF images need the library libavif, which is not installed; only saved"
            )
        }
        let payloads = try AVIFPayloads(bytes)
        try payloads.check(bytes, within: limit)
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(DownloadError) in
            guard let decoder = unsafe Decoder(library.functions, buffer, limit) else {
                throw DownloadError(.ioError, "libavif could not start; is memory short?")
            }
            defer { unsafe decoder.free() }
            return try unsafe decoder.image(within: limit, frameLimit: payloads.frameLimit)
        }
    }

    /// The functions of libavif, which are never unloaded.
    private struct Library: Sendable {
        let functions: sluice_avif

        init?() {
            var functions = sluice_avif()
            guard unsafe sluice_avif_load(&functions) != 0 else { return nil }
            self.functions = functions
        }
    }

    /// Owns one decoder of the library.
    @unsafe private struct Decoder {
        private let functions: sluice_avif
        private let decoder: UnsafeMutablePointer<avifDecoder>

        init?(_ functions: sluice_avif, _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PixelLimit) {
            guard let decoder = functions.create?() else { return nil }
            unsafe (self.functions, self.decoder) = (functions, decoder)
            // The other decoders are faster, and write what is wrong with a file on standard error: over the screen.
            unsafe decoder.pointee.codecChoice = AVIF_CODEC_CHOICE_AOM
            unsafe decoder.pointee.maxThreads = 1
            unsafe decoder.pointee.ignoreExif = 1
            unsafe decoder.pointee.ignoreXMP = 1
            // As browsers do: files with small faults are common, and harmless.
            unsafe decoder.pointee.strictFlags = 0
            unsafe decoder.pointee.imageSizeLimit = UInt32(clamping: min(limit.maxPixels, 16_384 * 16_384))
            _ = unsafe functions.setMemory?(decoder, bytes.baseAddress, bytes.count)
        }

        func free() { unsafe functions.destroy?(decoder) }

        func image(within limit: PixelLimit, frameLimit: Int) throws(DownloadError) -> DecodedImage {
            try unsafe check(functions.parse?(decoder))
            let (width, height) = try unsafe size()
            let orientation = unsafe orientation
            let extra = orientation.extraBytes(width: width, height: height)
            try limit.check(.avif, width: width, height: height, extraBytes: extra)
            let count = unsafe max(1, Int(decoder.pointee.imageCount))
            var budget = FrameBudget(width: width, height: height)
            while !budget.isFull, budget.frames.count < min(count, frameLimit) {
                try unsafe check(functions.next?(decoder))
                // A sequence whose frames change their size is not shown.
                let current = try unsafe size()
                guard current == (width, height) else { throw ImageFormat.avif.damaged("frames of several sizes") }
                let seconds = unsafe decoder.pointee.imageTiming.duration
                let delay = Duration.milliseconds(Int64(max(0, min(seconds, 3_600)) * 1_000))
                unsafe budget.add(try pixels(width, height), width: width, height: height, delay: delay)
            }
            let info = ImageInfo(format: .avif, width: width, height: height, frames: count)
            guard let image = budget.image(info, loops: 0, orientation: orientation) else {
                throw ImageFormat.avif.damaged("no picture in it")
            }
            return image
        }

        private func size() throws(DownloadError) -> (width: Int, height: Int) {
            guard let image = unsafe decoder.pointee.image else { throw ImageFormat.avif.damaged("no picture in it") }
            return unsafe (Int(image.pointee.width), Int(image.pointee.height))
        }

        private var orientation: Orientation {
            guard let image = unsafe decoder.pointee.image else { return .upright }
            let flags = unsafe image.pointee.transformFlags
            let isTurned = flags & AVIF_TRANSFORM_IROT.rawValue != 0
            let isMirrored = flags & AVIF_TRANSFORM_IMIR.rawValue != 0
            return unsafe Orientation(
                quarters: isTurned ? Int(image.pointee.irot.angle) : 0,
                mirror: isMirrored ? Int(sluice_avif_mirror(image)) : nil
            )
        }

        private func pixels(_ width: Int, _ height: Int) throws(DownloadError) -> [UInt8] {
            guard let image = unsafe decoder.pointee.image else { throw ImageFormat.avif.damaged("no picture in it") }
            return try unsafe PixelBuffer.bitmap(width: width, height: height) { pixels in
                var target = unsafe avifRGBImage()
                unsafe functions.setDefaults?(&target, image)
                unsafe target.depth = 8
                unsafe target.format = AVIF_RGB_FORMAT_RGBA
                unsafe target.pixels = pixels.baseAddress
                unsafe target.rowBytes = UInt32(width * 4)
                let result = unsafe functions.convert?(image, &target)
                return result == AVIF_RESULT_OK ? nil : unsafe failure(result)
            }.pixels
        }

        private func check(_ result: avifResult?) throws(DownloadError) {
            if result != AVIF_RESULT_OK { throw unsafe failure(result) }
        }

        private func failure(_ result: avifResult?) -> DownloadError {
            if result == AVIF_RESULT_NO_CODEC_AVAILABLE {
                return DownloadError(.unsupported, "this libavif has no decoder of libaom; AVIF images are only saved")
            }
            let text = unsafe result.flatMap { unsafe functions.describe?($0) }.map { unsafe String(cString: $0) }
            return ImageFormat.avif.damaged(text ?? "unknown error")
        }
    }
}
