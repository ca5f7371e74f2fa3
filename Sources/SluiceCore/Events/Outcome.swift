/// How a task or receipt ended.
public enum Outcome: String, Sendable {
    /// The whole answer came, and is where it was wanted.
    case success
    /// There is an error that says why.
    case failed
    /// Taken back; no failure.
    case cancelled
}
