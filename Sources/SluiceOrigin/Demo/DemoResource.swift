/// Something that the demo's origin serves, for the feed that asks for it.
public struct DemoResource: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// A still picture that arrives as it should.
        case picture
        /// A tile of a map; small and quick.
        case tile
        case animation
        /// No image: bytes to save.
        case file
        /// Goes wrong in one way or another.
        case trouble
    }

    /// Begins with a slash.
    public let path: String
    public let kind: Kind
    /// What a person sees happen, as a sentence without a full stop.
    public let note: String
}
