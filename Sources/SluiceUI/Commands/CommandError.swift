/// Why a command can't be meant, and which cluster of the line is to blame.
struct CommandError: Error, Equatable {
    let message: String
    /// Of the text behind the colon.
    let place: Int
}
