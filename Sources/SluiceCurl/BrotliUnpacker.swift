internal import CCompression

/// Unpacks what brotli packs, RFC 7932.
@safe
final class BrotliUnpacker: Unpacking {
    private let decoder: OpaquePointer
    private(set) var isAtEnd = false

    init() {
        guard let decoder = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else {
            preconditionFailure("out of memory for brotli")
        }
        unsafe self.decoder = decoder
    }

    deinit { unsafe BrotliDecoderDestroyInstance(decoder) }

    func unpack(_ input: Span<UInt8>, into output: inout [UInt8]) -> UnpackedStep? {
        if isAtEnd { return input.isEmpty ? UnpackedStep(taken: 0, given: 0) : nil }
        let (result, step) = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output -> (BrotliDecoderResult, UnpackedStep) in
                var (next, unread) = (input.baseAddress, input.count)
                var (place, unused) = (output.baseAddress, output.count)
                let result = unsafe BrotliDecoderDecompressStream(decoder, &unread, &next, &unused, &place, nil)
                return (result, UnpackedStep(taken: input.count - unread, given: output.count - unused))
            }
        }
        if result == BROTLI_DECODER_RESULT_ERROR { return nil }
        isAtEnd = result == BROTLI_DECODER_RESULT_SUCCESS
        return step
    }
}
