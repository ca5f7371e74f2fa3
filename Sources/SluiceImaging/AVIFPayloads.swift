internal import SluiceCore

/// What an AVIF file has for the decoder of AV1, and how large its boxes say that is.
///
/// The library compares a limit with what the boxes say, and the decoder behind it takes memory and time for what the
/// pictures themselves say. So both are compared before either begins. Finds all that the library may decode, and
/// leaves to it what is damaged otherwise.
///
/// - SeeAlso: ISO/IEC 14496-12 §8.7 (tracks) and §8.11 (items), ISO/IEC 23008-12 §6.5.3 (`ispe`).
struct AVIFPayloads {
    /// One picture or one frame.
    struct Payload: Equatable {
        /// Its pieces in the file, in their order.
        var extents: [Range<Int>]
        /// As a box says, in pixels.
        var width: Int
        /// As ``width``.
        var height: Int
    }

    /// Pictures that may be items, such as the tiles of a grid; those of a camera have some fifty.
    ///
    /// The library keeps a decoder of more than a megabyte for each, though all may be of the same few bytes.
    static let itemLimit = 512
    /// Pictures and frames, more than those of some tracks.
    private static let limit = 200_000
    /// Pixels that all pictures together may have beyond what their boxes say.
    ///
    /// A thumbnail may be a layer of a larger picture, and a header may say more than any frame has.
    private static let spareArea = 67_108_864
    /// Units beside those that each have a byte of the file to themselves.
    private static let spareSteps = 1_000_000

    private(set) var payloads: [Payload] = []
    /// How many frames of a sequence may be decoded.
    var frameLimit = FrameBudget.frameLimit
    /// How many of them are items.
    var itemCount = 0
    /// Entries of all lists of items.
    var lookupCount = 0

    /// - Parameter bytes: The whole file.
    /// - Throws: `badImage` if it is not clear what the library makes of it, `tooLarge` if that takes too much.
    init(_ bytes: Span<UInt8>) throws(DownloadError) {
        var boxes = ISOCursor(0..<bytes.count)
        var hasItems = false
        while let box = boxes.box(bytes) {
            if box.kind == "meta" {
                guard !hasItems else { throw ImageFormat.avif.damaged("two lists of its pictures") }
                hasItems = true
                try addItems(of: box.content, bytes)
            } else if box.kind == "moov" {
                try addTracks(of: box.content, bytes)
            }
        }
    }

    mutating func add(_ payload: Payload) throws(DownloadError) {
        guard payloads.count < Self.limit else { throw ImageFormat.avif.damaged("more pictures than anybody made") }
        payloads.append(payload)
    }

    /// Refuses a picture that is larger than allowed, and pictures that are far larger than their boxes say.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - limit: For each of them.
    /// - Throws: `badImage`, `tooLarge`.
    func check(_ bytes: Span<UInt8>, within limit: PixelLimit) throws(DownloadError) {
        var steps = bytes.count + Self.spareSteps
        var spare = Self.spareArea
        for payload in payloads {
            guard let size = try Self.size(of: payload, bytes, &steps) else { continue }
            try limit.check(.avif, width: size.width, height: size.height)
            // Of AV1, no side is longer.
            let told = min(payload.width, 65_536) * min(payload.height, 65_536)
            spare -= max(0, size.width * size.height - told)
            guard spare >= 0 else {
                throw ImageFormat.avif.damaged(
                    "a picture of \(size.width.grouped) × \(size.height.grouped) in a box for one of "
                        + "\(payload.width.grouped) × \(payload.height.grouped)"
                )
            }
        }
    }

    private static func size(
        of payload: Payload,
        _ bytes: Span<UInt8>,
        _ steps: inout Int
    ) throws(DownloadError) -> (width: Int, height: Int)? {
        let size: (width: Int, height: Int)?
        if payload.extents.count == 1 {
            size = AV1SequenceHeader.largest(in: bytes.extracting(payload.extents[0]), &steps)
        } else {
            // What stands at the end of one may go on in the next.
            steps -= payload.extents.reduce(0) { $0 + $1.count }
            guard steps > 0 else { throw ImageFormat.avif.damaged("the same bytes again and again") }
            var joined: [UInt8] = []
            for extent in payload.extents {
                for offset in extent { joined.append(bytes[offset]) }
            }
            size = AV1SequenceHeader.largest(in: joined.span, &steps)
        }
        guard steps > 0 else { throw ImageFormat.avif.damaged("the same bytes again and again") }
        return size
    }
}
