/// Keeps what must outlive the process: parts, known files, and the queue of a dashboard.
///
/// Every call returns at once; the work is done elsewhere, in the order of the calls.
public protocol StateKeeping: Sendable {
    /// Keeps changes, all of them or none.
    ///
    /// - Parameters:
    ///   - changes: In order.
    ///   - saved: Called once they would survive the death of the process, or can't be kept now; on any thread.
    ///     Where the problem may pass they are kept behind later ones of this process, or at its end.
    func save(_ changes: [StateChange], saved: @escaping @Sendable (StateProblem?) -> Void)
}

/// Why nothing can be kept; a sentence for people.
public struct StateProblem: Error, Equatable, Sendable {
    /// What happened to the saved state, and what follows.
    public let message: String
    /// Whether what is not kept waits for a better time; if not, nothing is kept any more.
    public let mayPass: Bool
    /// A problem that the user is to be told; a lasting one, unless it is said to pass.
    public init(message: String, mayPass: Bool = false) { (self.message, self.mayPass) = (message, mayPass) }
}
