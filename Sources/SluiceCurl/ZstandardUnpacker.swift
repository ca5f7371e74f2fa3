internal import CCompression

/// Unpacks what zstd packs, RFC 8878: one frame or several.
@safe
final class ZstandardUnpacker: Unpacking {
    /// 8 MiB, the widest window that RFC 9659 allows in answers; more would be memory without need.
    private static let windowLog: Int32 = 23

    private let decoder: OpaquePointer
    private(set) var isAtEnd = false

    init() {
        guard let decoder = unsafe ZSTD_createDStream() else { preconditionFailure("out of memory for zstd") }
        unsafe self.decoder = decoder
        unsafe ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.windowLog)
    }

    deinit { unsafe ZSTD_freeDStream(decoder) }

    func unpack(_ input: Span<UInt8>, into output: inout [UInt8]) -> UnpackedStep? {
        // Asked without input, zstd begins a frame that nobody sent.
        if isAtEnd, input.isEmpty { return UnpackedStep(taken: 0, given: 0) }
        let (status, step) = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output -> (Int, UnpackedStep) in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                let status = unsafe ZSTD_decompressStream(decoder, &target, &source)
                return unsafe (status, UnpackedStep(taken: source.pos, given: target.pos))
            }
        }
        if ZSTD_isError(status) != 0 { return nil }
        isAtEnd = status == 0
        return step
    }
}
