internal import SluiceCore

/// How large the bodies of this session are and how long they took, so that what still lies ahead can be estimated.
///
/// Knows whole bodies of the network only: part of one would make the mean grow while
/// nothing but time goes by, and an answer from disk takes none.
struct BodySizes: Sendable {
    private var count = 0
    /// In bytes; a sum of any sizes that servers send, so never an integer that overflows.
    private var total = 0.0
    /// How long the last transfers held their slots, in seconds.
    private var times = RingBuffer<Double>(limit: 32)
    /// Half of the last transfers took as long or longer, in seconds; `nil` before the first.
    ///
    /// Those that failed count: what is queued may fail as they did, and holds its slot as long.
    private(set) var usualTime: Double?

    mutating func take(_ end: TaskEnd) {
        if let timings = end.timings {
            times.append(timings.transfer.total.seconds)
            usualTime = times.elements.sorted()[(times.count - 1) / 2]
        }
        guard end.outcome == .success, end.source == .network else { return }
        count += 1
        total += Double(max(0, end.bytes))
    }

    /// The mean of the bodies that are there, else of those announced among `rows`; `nil` without either.
    func mean(orOf rows: [PipelineSnapshot.Row]) -> Double? {
        if count > 0 { return total / Double(count) }
        let announced = rows.compactMap(\.expected)
        return announced.isEmpty ? nil : announced.reduce(0) { $0 + Double($1) } / Double(announced.count)
    }
}
