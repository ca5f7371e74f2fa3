internal import CCompression

/// Unpacks what zlib packs.
@safe
final class Inflater: Unpacking {
    enum Kind {
        /// RFC 1952: one member or several; zlib's own frame is taken too, as curl does.
        case gzip
        /// RFC 1950, or RFC 1951 alone, as some servers understand `deflate`.
        case deflate
    }

    private enum State {
        /// The bytes that tell the two kinds of deflate apart are not there yet.
        case undecided
        case running
        case ended
    }

    /// zlib's widest window, and what it adds to tell frames apart or to expect none.
    private static let (framed, anyFrame, bare) = (MAX_WBITS, MAX_WBITS + 32, -MAX_WBITS)
    /// Bytes behind data without a frame that are passed over: some servers add the checksum all the same.
    private static let mostTail = 4

    /// In memory of its own, since zlib remembers where it is.
    private let stream: UnsafeMutablePointer<z_stream>
    private let kind: Kind
    private var state: State
    private var isStarted = false
    /// The first byte while undecided.
    private var start: [UInt8] = []
    /// Bytes that may follow the end.
    private var tail = 0

    init(_ kind: Kind) {
        self.kind = kind
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        state = .undecided
        if kind == .gzip { begin(Self.anyFrame) }
    }

    deinit {
        if isStarted { unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
    }

    var isAtEnd: Bool { state == .ended }

    func unpack(_ input: Span<UInt8>, into output: inout [UInt8]) -> UnpackedStep? {
        switch state {
        case .undecided: return decide(input, &output)
        case .running: return inflate(input, &output)
        case .ended:
            if input.isEmpty { return UnpackedStep(taken: 0, given: 0) }
            if kind == .gzip {
                // Only another member may follow.
                guard input[0] == 0x1F, unsafe inflateReset(stream) == Z_OK else { return nil }
                state = .running
                return inflate(input, &output)
            }
            guard input.count <= tail else { return nil }
            tail -= input.count
            return UnpackedStep(taken: input.count, given: 0)
        }
    }

    private func begin(_ windowBits: Int32) {
        precondition(unsafe sluice_inflate_start(stream, windowBits) == Z_OK, "out of memory for zlib")
        (isStarted, state) = (true, .running)
    }

    /// Waits for two bytes, and starts with them.
    private func decide(_ input: Span<UInt8>, _ output: inout [UInt8]) -> UnpackedStep? {
        var taken = 0
        while start.count < 2, taken < input.count {
            start.append(input[taken])
            taken += 1
        }
        guard start.count == 2 else { return UnpackedStep(taken: taken, given: 0) }
        let isFramed = start[0] & 0x8F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
        begin(isFramed ? Self.framed : Self.bare)
        if !isFramed { tail = Self.mostTail }
        let head = start
        // Two bytes make less than the output holds, so zlib takes both.
        guard let step = inflate(head.span, &output) else { return nil }
        return UnpackedStep(taken: taken, given: step.given)
    }

    private func inflate(_ input: Span<UInt8>, _ output: inout [UInt8]) -> UnpackedStep? {
        let (status, step) = unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output -> (Int32, UnpackedStep) in
                // Sound: zlib only reads the input, whatever its type says.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                let status = unsafe CCompression.inflate(stream, Z_NO_FLUSH)
                let (unread, unused) = unsafe (Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
                return (status, UnpackedStep(taken: input.count - unread, given: output.count - unused))
            }
        }
        switch status {
        case Z_OK, Z_BUF_ERROR: return step
        case Z_STREAM_END:
            state = .ended
            return step
        default: return nil
        }
    }
}
