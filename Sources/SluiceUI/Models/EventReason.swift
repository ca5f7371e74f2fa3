/// Why something happened, as a row has room for it: the fact first, and nothing that the row says beside it.
///
/// Made of the sentence, which is all that a recording has, so that its rows read as those of the session did.
enum EventReason {
    /// - Parameters:
    ///   - sentence: The decision in words.
    ///   - verb: What the row says that was done.
    /// - Returns: What caused it, then where it left the task: `all 4 slots taken · behind 3 others`.
    static func text(_ sentence: String, after verb: String) -> String {
        let rest = sentence.without(prefix: verb + " ") ?? sentence
        if let cause = rest.without(prefix: "because ") { return short(cause) }
        guard let because = rest.firstRange(of: " because ") else { return short(rest) }
        let cause = short(String(rest[because.upperBound...]))
        let place = start(of: String(rest[..<because.lowerBound]), before: ", and kept there")
        // What only leads over to the cause is told with it.
        if place.hasPrefix("and ") { return cause }
        return "\(cause) · \(place == "as the next one" ? "next" : place)"
    }

    /// What a reason says without the place of the one task.
    static func cause(of text: String) -> String { start(of: text, before: " · ") }

    /// Of a request that joined a task, which is named in front of what it does: `task 318 runs already`.
    static func joined(_ sentence: String, _ task: String) -> String {
        guard let rest = sentence.without(prefix: "joined a download that ") else { return sentence }
        return "\(task) \(start(of: start(of: rest, before: ", because "), before: ": one download "))"
    }

    private static let shorter = [
        (" are taken now", " taken"), (" slots are taken", " slots taken"), (" slot is taken", " slot taken"),
        (" and others go first", ", others go first"),
        (", so it went to the front of its priority", " · to the front of its priority"),
        (" are more than the whole capacity of ", " exceed all of the "),
    ]

    private static func short(_ text: String) -> String {
        shorter.reduce(text) { text, words in
            guard let range = text.firstRange(of: words.0) else { return text }
            return String(text[..<range.lowerBound]) + words.1 + String(text[range.upperBound...])
        }
    }

    private static func start(of text: String, before end: String) -> String {
        text.firstRange(of: end).map { String(text[..<$0.lowerBound]) } ?? text
    }
}
