/// Where an answer came from.
public enum AnswerSource: String, Sendable {
    case network
    case memory
    case disk
    case revalidated
}
