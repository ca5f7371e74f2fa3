/// One row of the table of commands.
struct CommandDefinition: Sendable {
    let name: String
    let argument: CommandArgument
    /// For the help and the manual; `nil` for the settings, which share one row.
    let help: String?
    /// Whether it does nothing that a key does not, so that the help needs no row for it.
    var isKey = false
    /// Reads the argument, which has no blanks at its ends.
    let read: @Sendable (String) throws(CommandError) -> PromptCommand
}
