/// An answer, and when it was true.
public struct PipelineReply: Sendable {
    /// What the query came to.
    public let answer: PipelineAnswer
    /// Number of the last event before it; 0 before the first.
    public let seq: Int
    /// Of the pipeline's clock.
    public let time: Timestamp

    /// An answer that holds after the event `seq`, and before the next one.
    public init(_ answer: PipelineAnswer, seq: Int, time: Timestamp) {
        (self.answer, self.seq, self.time) = (answer, seq, time)
    }
}
