/// An answer, and when it was true.
public struct PipelineReply: Sendable {
    public let answer: PipelineAnswer
    /// Number of the last event before it; 0 before the first.
    public let seq: Int
    public let time: Timestamp

    public init(_ answer: PipelineAnswer, seq: Int, time: Timestamp) {
        (self.answer, self.seq, self.time) = (answer, seq, time)
    }
}
