internal import SluiceCore

/// How the help is looked at, from its opening to its closing.
struct HelpState: Equatable, Sendable {
    /// First line that is seen where not everything fits.
    var offset = 0
    /// What lines are looked for.
    var editor = LineEditor()
    /// Whether that is being typed; else keys scroll and close.
    var isTyping = false

    /// What hides lines; empty while all are shown.
    var filter: ListFilter { ListFilter(editor.text) }
}
