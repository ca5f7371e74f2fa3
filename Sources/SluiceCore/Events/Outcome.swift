/// How a task or receipt ended.
public enum Outcome: String, Sendable {
    case success
    case failed
    case cancelled
}
