/// A key as the user pressed it, whatever bytes the terminal sent.
public enum Key: Hashable, Sendable {
    /// A printable character, one grapheme cluster.
    case character(Character)
    /// Control and a letter, in lower case; `control("c")` is `^C`.
    case control(Character)
    /// Alt (or Escape before it) and a character.
    case alt(Character)
    case enter
    case escape
    case tab
    /// Shift and Tab.
    case backTab
    case backspace
    case delete
    case insert
    case up
    case down
    case left
    case right
    /// Control or Alt and the arrow.
    case controlLeft
    /// Control or Alt and the arrow.
    case controlRight
    case home
    case end
    case pageUp
    case pageDown
    /// `1...12`
    case function(Int)
}
