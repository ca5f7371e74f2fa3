internal import SluiceCore

/// The newest events, of which those that end a task outlast the others.
///
/// One task may have ten thousand receipts, each of which ends with an event of its own: what the lists of
/// ended and failed tasks are made of is not pushed out by them.
struct RecentEvents {
    private var ends: RingBuffer<PipelineEvent>
    private var others: RingBuffer<PipelineEvent>

    /// - Parameter limit: How many of either kind are kept. 1 or more
    init(limit: Int) { (ends, others) = (RingBuffer(limit: limit), RingBuffer(limit: limit)) }

    /// Older ones that were dropped.
    var lost: Int { ends.lost + others.lost }
    var isEmpty: Bool { ends.isEmpty && others.isEmpty }

    /// All that are kept, in the order of their numbers. O(n)
    var elements: [PipelineEvent] {
        guard !ends.isEmpty else { return others.elements }
        var result: [PipelineEvent] = []
        result.reserveCapacity(ends.count + others.count)
        var (end, other) = (ends.startIndex, others.startIndex)
        while end < ends.endIndex, other < others.endIndex {
            if ends[end].seq < others[other].seq {
                result.append(ends[end])
                end += 1
            } else {
                result.append(others[other])
                other += 1
            }
        }
        return result + ends[end...] + others[other...]
    }

    mutating func append(_ event: PipelineEvent) {
        if case .taskFinished = event.kind { ends.append(event) } else { others.append(event) }
    }

    /// Takes what another kept, and what it dropped as dropped; as a whole where there is nothing yet.
    mutating func append(contentsOf newer: RecentEvents) {
        ends.append(contentsOf: newer.ends)
        others.append(contentsOf: newer.others)
    }
}
