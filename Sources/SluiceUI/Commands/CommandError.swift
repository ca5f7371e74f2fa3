/// Why a command is invalid, and which cluster of the line is to blame.
struct CommandError: Error, Equatable {
    let message: String
    /// The same where there is no room for all of it, with the way to the rest.
    var brief: String?
    /// Of the text behind the colon.
    let place: Int
}
