/// How a process ended.
public enum ChildExit: Equatable, Sendable {
    case exited(Int32)
    /// Killed by the signal of this number.
    case signalled(Int32)
}
