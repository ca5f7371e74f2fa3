/// What a trial with chance in it found wrong, and how to repeat it.
public struct TrialFailure: Error, CustomStringConvertible {
    public let description: String

    init(_ problem: String, seed: UInt64, round: Int) {
        description = "\(problem) (seed \(seed), round \(round))"
    }
}
