internal import SluiceUI

/// What a terminal sends, decoded.
enum TerminalInput: Equatable {
    case key(Key)
    /// Lines end with `\n`, whatever the terminal made of them; other control characters are still in it.
    case paste(String)
    /// The paste before was longer than is taken, and its end is not in it.
    case cutPaste
    case focus(Bool)
    /// The answer to a question about pictures.
    case report(TerminalReport)
    case mouse(Mouse)
    /// The terminal said what colour its ground is.
    case ground(isLight: Bool)
}
