import SluiceCore

/// Undoes the codings of one body as it arrives, and knows whether the body came to its end.
///
/// curl can decode too, but takes a body that is cut off within its coding for a whole one.
/// This makes pieces of at most 16 KiB, each to be delivered before the next is made, so that
/// memory is bounded whatever the body unpacks to. Work is bounded too: each coding is held to
/// ``UnpackingLimit``, since nobody else sees what one makes for the next. Confined to its transfer.
final class ContentDecoder {
    /// Undoes the coding that the server applied first, and so makes what is to be delivered.
    private let last: Stage
    private let codings: [ContentCoding]
    /// Bytes of the body that were taken.
    private var received = 0

    /// Without codings there is nothing to undo, and no decoder.
    ///
    /// - Parameter codings: In the order in which the server applied them.
    init?(_ codings: [ContentCoding]) {
        var stage: Stage?
        for coding in codings.reversed() { stage = Stage(coding, after: stage) }
        guard let stage else { return nil }
        (last, self.codings) = (stage, codings)
    }

    /// As the server named its codings.
    var name: String { codings.map(\.name).joined(separator: ", ") }

    /// Whether the body may end here, by all its codings.
    var isComplete: Bool { last.isComplete }

    /// What is to be delivered; empty before the first piece and after ``dropPiece()``.
    var piece: ArraySlice<UInt8> { last.output[last.unread] }

    /// Forgets the piece, which was delivered.
    func dropPiece() { last.unread = 0..<0 }

    /// Makes the next piece; without one, all input is taken and more is needed.
    ///
    /// - Parameter input: What of the body was not taken yet.
    /// - Returns: How many bytes of it are taken now.
    /// - Throws: `badResponse` if the body is not what the server said that it is, `tooLarge` if it is a bomb.
    func makePiece(from input: Span<UInt8>) throws(DownloadError) -> Int {
        var taken = 0
        _ = try last.fill(from: input, &taken, after: received)
        received += taken
        return taken
    }
}

/// One coding of a body, and what it made that was not read yet.
private final class Stage {
    private static let pieceSize = 16_384

    private(set) var output = [UInt8](repeating: 0, count: Stage.pieceSize)
    var unread = 0..<0
    /// All that was put out so far.
    private var made = 0
    private let coding: ContentCoding
    private let unpacker: any Unpacking
    /// Makes what this reads; without one, that is the body as sent.
    private let source: Stage?

    init(_ coding: ContentCoding, after source: Stage?) {
        (self.coding, unpacker, self.source) = (coding, coding.makeUnpacker(), source)
    }

    var isComplete: Bool { unpacker.isAtEnd && source?.isComplete ?? true }

    /// Works until there is output.
    ///
    /// - Parameters:
    ///   - input: Of the body.
    ///   - taken: How much of it is taken.
    ///   - received: Bytes of the body before the input.
    /// - Returns: Whether there is output; if not, all input is taken.
    /// - Throws: `badResponse` if it can't be unpacked, `tooLarge` if that makes too much.
    func fill(from input: Span<UInt8>, _ taken: inout Int, after received: Int) throws(DownloadError) -> Bool {
        while true {
            let step = try work(on: input, &taken)
            made += step.given
            try UnpackingLimit.files.judge(made, received: received + taken)
            unread = 0..<step.given
            if step.given > 0 { return true }
            if step.taken > 0 { continue }
            // It has read all that there was, or can make nothing of it.
            guard source?.unread.isEmpty ?? (taken == input.count) else { throw coding.damage }
            guard let source, try source.fill(from: input, &taken, after: received) else { return false }
        }
    }

    private func work(on input: Span<UInt8>, _ taken: inout Int) throws(DownloadError) -> UnpackedStep {
        let step: UnpackedStep?
        if let source {
            let packed = source.output
            step = unpacker.unpack(packed.span.extracting(source.unread), into: &output)
            source.unread.removeFirst(step?.taken ?? 0)
        } else {
            step = unpacker.unpack(input.extracting(taken..<input.count), into: &output)
            taken += step?.taken ?? 0
        }
        guard let step else { throw coding.damage }
        return step
    }
}

extension ContentCoding {
    fileprivate func makeUnpacker() -> any Unpacking {
        switch self {
        case .gzip: Inflater(.gzip)
        case .deflate: Inflater(.deflate)
        case .brotli: BrotliUnpacker()
        case .zstd: ZstandardUnpacker()
        case .unknown: UnknownUnpacker()
        }
    }

    fileprivate var damage: DownloadError {
        if case .unknown(let name) = self {
            let shown = VisibleText.visible(name, limit: 40)
            return DownloadError(.badResponse, "the server's data is encoded as \(shown), which can't be undone")
        }
        return DownloadError(.badResponse, "the server's \(name) data is damaged; try again")
    }
}

/// Stands for a coding that nobody knows here: no byte of it can be read.
private final class UnknownUnpacker: Unpacking {
    let isAtEnd = true

    func unpack(_ input: Span<UInt8>, into output: inout [UInt8]) -> UnpackedStep? {
        input.isEmpty ? UnpackedStep(taken: 0, given: 0) : nil
    }
}
