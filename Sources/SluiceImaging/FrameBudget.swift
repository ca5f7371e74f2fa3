internal import SluiceCore

/// Collects the frames of an animation, as many as memory is worth.
///
/// An animation that is too large keeps its first frames, or only the first, and says
/// so: what a file claims never decides how much memory is taken.
struct FrameBudget {
    /// The frames of one animation may take so many bytes, which fit the memory cache beside other images.
    static let byteLimit = 50_331_648
    static let frameLimit = 4_096
    /// Browsers show faster frames so long, too: files say 0 for "as fast as once was possible".
    private static let shortest: Duration = .milliseconds(20)
    private static let usual: Duration = .milliseconds(100)

    /// Frames that may be kept. `1...`
    let limit: Int
    private(set) var frames: [Animation.Frame] = []
    /// Pixels that were decoded for them, whatever the canvas shows of those.
    private var decoded = 0

    /// - Parameters:
    ///   - width: Of every frame. In pixels.
    ///   - height: Of every frame. In pixels.
    init(width: Int, height: Int) {
        limit = max(1, min(Self.frameLimit, Self.byteLimit / (width * height * 4)))
    }

    var isFull: Bool { frames.count >= limit }

    /// Counts the next frame, and tells whether it is worth decoding.
    ///
    /// The first always is. As many as may be kept are where each is no larger than four canvases: some reach beyond
    /// theirs.
    ///
    /// - Parameter pixels: Of the frame alone; no more than an image may have.
    /// - Returns: Whether to decode it.
    mutating func takes(_ pixels: Int) -> Bool {
        decoded += pixels
        return frames.isEmpty || decoded <= Self.byteLimit
    }

    /// - Parameters:
    ///   - pixels: Of the whole canvas.
    ///   - width: In pixels.
    ///   - height: In pixels.
    ///   - delay: As the file has it.
    mutating func add(_ pixels: [UInt8], width: Int, height: Int, delay: Duration) {
        frames.append(
            Animation.Frame(
                bitmap: Bitmap(width: width, height: height, pixels: pixels),
                delay: delay < Self.shortest ? Self.usual : min(delay, .seconds(3_600))
            )
        )
    }

    /// The image of these frames.
    ///
    /// - Parameters:
    ///   - info: With the number of frames in the file.
    ///   - loops: As in ``Animation/loops``.
    ///   - orientation: Applied to every frame.
    /// - Returns: `nil` if no frame was added.
    func image(_ info: ImageInfo, loops: Int, orientation: Orientation = .upright) -> DecodedImage? {
        let frames =
            orientation == .upright
            ? self.frames
            : self.frames.map { Animation.Frame(bitmap: orientation.apply(to: $0.bitmap), delay: $0.delay) }
        guard let first = frames.first else { return nil }
        var info = info
        (info.width, info.height) = (first.bitmap.width, first.bitmap.height)
        let animation = Animation(frames: frames, loops: loops, isCutShort: frames.count < info.frames)
        return DecodedImage(info: info, bitmap: first.bitmap, animation: frames.count > 1 ? animation : nil)
    }
}
