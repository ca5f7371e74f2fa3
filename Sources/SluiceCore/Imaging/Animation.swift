/// The frames of a picture that moves, each whole: nothing is left to compose.
public struct Animation: Sendable {
    /// One picture of the sequence.
    public struct Frame: Sendable {
        /// All of it, as it is shown.
        public var bitmap: Bitmap
        /// How long it is shown; above 0.
        public var delay: Duration

        /// A picture, and how long it stands.
        public init(bitmap: Bitmap, delay: Duration) { (self.bitmap, self.delay) = (bitmap, delay) }
    }

    /// In order, from the first; at least one, all of one size.
    public var frames: [Frame]
    /// How often all of them are played; 0 means without end.
    public var loops: Int
    /// Whether the file has more frames than were kept.
    public var isCutShort: Bool

    /// Frames that a decoder has composed.
    ///
    /// - Parameters:
    ///   - frames: At least one, all of one size.
    ///   - loops: How often all of them are played; 0 means without end.
    ///   - isCutShort: Whether the file has more than were kept.
    public init(frames: [Frame], loops: Int, isCutShort: Bool = false) {
        (self.frames, self.loops, self.isCutShort) = (frames, loops, isCutShort)
    }
}
