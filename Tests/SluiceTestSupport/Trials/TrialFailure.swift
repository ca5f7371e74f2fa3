/// What a trial with chance in it found wrong, and how to repeat it.
public struct TrialFailure: Error, CustomStringConvertible {
    public let description: String

    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - seed: What the trial began with.
    ///   - round: Its place among the trial's rounds, from 1; 0 for all of them.
    public init(_ problem: String, seed: UInt64, round: Int) {
        description = "\(problem) (seed \(seed), round \(round))"
    }
}
