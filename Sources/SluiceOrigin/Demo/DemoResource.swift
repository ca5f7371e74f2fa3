/// Something that the demo's origin serves, for the feed that asks for it.
public struct DemoResource: Hashable, Sendable {
    /// What it shows; the feed of the demo mixes them.
    public enum Kind: String, CaseIterable, Sendable {
        /// A still picture that arrives as it should.
        case picture
        /// A tile of a map; small and quick.
        case tile
        /// A picture that moves.
        case animation
        /// No image: bytes to save.
        case file
        /// Goes wrong in one way or another.
        case trouble
    }

    /// Begins with a slash.
    public let path: String
    /// What it shows.
    public let kind: Kind
    /// What a person sees happen, as a sentence without a full stop.
    public let note: String
}
