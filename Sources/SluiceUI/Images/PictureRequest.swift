/// How large a picture has to be, and whether it has to move.
public struct PictureRequest: Equatable, Sendable {
    /// Comes back with the answer.
    public let ask: Int
    /// As the pipeline knows it; a merge key's URL.
    public let url: String
    /// In pixels; what is larger is scaled down to fit.
    public let width: Int
    /// As ``width``.
    public let height: Int
    /// Whether all frames are wanted, or only the first.
    public let moves: Bool
}
