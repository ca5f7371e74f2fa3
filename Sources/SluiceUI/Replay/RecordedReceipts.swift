public import SluiceCore

/// How many receipts each task of a recording has, which a log leaves out of its submissions.
public struct RecordedReceipts: Sendable {
    /// Of those that have no outcome yet.
    private var counts: [TaskID: Int] = [:]

    /// Knows of no task yet.
    public init() {}

    /// Takes the next event of the recording.
    ///
    /// - Returns: The event, a submission with the number of receipts that its task has now.
    public mutating func counted(_ event: PipelineEvent) -> PipelineEvent {
        switch event.kind {
        case .requestSubmitted(var submission):
            guard let task = submission.task else { return event }
            let count = (counts[task] ?? 0) + 1
            (counts[task], submission.receipts) = (count, count)
            return PipelineEvent(seq: event.seq, t: event.t, kind: .requestSubmitted(submission))
        case .receiptFinished(let end):
            counts[end.task] = counts[end.task].flatMap { $0 > 1 ? $0 - 1 : nil }
            return event
        default: return event
        }
    }
}
