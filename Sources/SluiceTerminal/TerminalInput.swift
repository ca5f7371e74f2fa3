internal import SluiceUI

/// What a terminal sends, decoded.
enum TerminalInput: Equatable {
    case key(Key)
    /// Lines end with `\n`, whatever the terminal made of them; other control characters are still in it.
    case paste(String)
    case focus(Bool)
}
