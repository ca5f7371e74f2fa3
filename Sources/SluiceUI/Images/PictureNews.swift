/// The answer to a ``PictureRequest``.
public enum PictureNews: Sendable {
    /// Scaled as it was asked for.
    case picture(Picture)
    /// There is none, and why.
    case none(String)
}
