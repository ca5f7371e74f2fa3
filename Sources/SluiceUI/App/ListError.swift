internal import SluiceCore

/// Why a list could not be read; a sentence for people.
public struct ListError: Error, Equatable, Sendable {
    /// A whole sentence.
    public let message: String
    /// What stands in it for the list, and may be shortened where the rest has no room else.
    let path: String?
    /// A list that can't be read, in words.
    public init(message: String, path: String? = nil) { (self.message, self.path) = (message, path) }

    /// The whole sentence where it fits, else with less of the path: why it can't be read says what to do.
    func message(columns: Int) -> String {
        guard let path, let place = message.firstRange(of: path) else { return message }
        let over = TextWidth.columns(of: VisibleText.visible(message)) - columns
        guard over > 0 else { return message }
        let shown = VisibleText.visible(path)
        let short = Elision.middle(shown, max(12, TextWidth.columns(of: shown) - over))
        return message[..<place.lowerBound] + short + message[place.upperBound...]
    }
}
