internal import SluiceCore

/// A value over time, in samples of equal length; advances only while something moves.
///
/// A pause leaves one mark, however long it was.
struct History: Sendable {
    struct Sample: Equatable, Sendable {
        /// `nil` where nothing moved.
        var value: Double?
        /// Whether something special happened in it.
        var isMarked = false
        /// Of the time that it stands for: an interval, a pause, or what a mark cuts off.
        let length: Duration
    }

    static let capacity = 1_024

    let interval: Duration
    private(set) var samples: [Sample] = []
    private var last: Timestamp?

    init(interval: Duration) { self.interval = interval }

    /// Takes a value that holds since the last one; ignored until an interval has passed.
    mutating func record(_ value: Double, at time: Timestamp) {
        guard let last else { return append(Sample(value: value, length: .zero), at: time) }
        let elapsed = time - last
        guard elapsed >= interval else { return }
        if elapsed > interval * 8 {
            append(Sample(value: nil, length: elapsed), at: time)
            return append(Sample(value: value, length: .zero), at: time)
        }
        let steps = Int(elapsed.nanoseconds / max(1, interval.nanoseconds))
        for _ in 0..<min(steps, 8) { append(Sample(value: value, length: interval), at: last + interval * steps) }
    }

    /// Takes a value at once, whatever the interval.
    mutating func mark(_ value: Double, at time: Timestamp, isMarked: Bool) {
        let length: Duration = last.map { max(.zero, time - $0) } ?? .zero
        append(Sample(value: value, isMarked: isMarked, length: length), at: time)
    }

    /// The time that the last `count` samples stand for, which marks do not make longer.
    func span(ofLast count: Int) -> Duration { samples.suffix(count).reduce(.zero) { $0 + $1.length } }

    private mutating func append(_ sample: Sample, at time: Timestamp) {
        if samples.count >= Self.capacity * 2 { samples.removeFirst(samples.count - Self.capacity) }
        samples.append(sample)
        last = time
    }
}
