/// How many colours a terminal has.
public enum ColorDepth: Sendable, CaseIterable {
    /// None wanted (`NO_COLOR`) or none there: bold, dim and reverse carry the weights.
    case mono
    /// The eight of old, none of them bright.
    case ansi8
    /// Those, and a bright one of each.
    case ansi16
    /// Those, a cube of 216 and 24 greys.
    case palette256

    /// - Parameter colors: As terminfo counts them; below 8 is mono.
    public init(colors: Int) {
        self =
            switch colors {
            case ..<8: .mono
            case 8..<16: .ansi8
            case 16..<256: .ansi16
            default: .palette256
            }
    }
}
