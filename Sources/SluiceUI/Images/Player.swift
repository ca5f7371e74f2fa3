internal import SluiceCore

/// Which frame of the preview is seen, and when the next one comes.
struct Player: Equatable, Sendable {
    /// Of the picture that is played; `nil` while none is.
    var picture: Int?
    var index = 0
    var rounds = 0
    var due: Timestamp?
}
