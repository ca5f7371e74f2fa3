/// Where an answer came from.
public enum AnswerSource: String, Sendable {
    /// The origin sent the body.
    case network
    /// The memory cache had the image.
    case memory
    /// The HTTP cache had the body, or an earlier save its file.
    case disk
    /// The HTTP cache had the body, and the origin said that it still holds.
    case revalidated
}
