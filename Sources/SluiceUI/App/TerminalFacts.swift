/// What the terminal is and does, whatever the screen shows in it.
struct TerminalFacts: Sendable {
    /// In cells.
    var width = 80
    /// In cells.
    var height = 24
    var isFocused = true
    var usesMouse = false
    /// The last press of the mouse, if it selected a row.
    var lastClick: Mouse.Click?
    /// The theme that was asked for last.
    var theme: ThemeChoice
    /// What the terminal said of its ground.
    var isLightGround: Bool?
    /// What can be clicked on in the last frame; what is drawn later lies above.
    var targets: [MouseTarget] = []
}
