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
    }

    static let capacity = 1_024

    let interval: Duration
    private(set) var samples: [Sample] = []
    private var last: Timestamp?

    init(interval: Duration) { self.interval = interval }

    /// Takes a value that holds since the last one; ignored until an interval has passed.
    mutating func record(_ value: Double, at time: Timestamp) {
        guard let last else { return append(Sample(value: value), at: time) }
        let elapsed = time - last
        guard elapsed >= interval else { return }
        if elapsed > interval * 8 {
            append(Sample(value: nil), at: time)
            return append(Sample(value: value), at: time)
        }
        let steps = Int(elapsed.nanoseconds / max(1, interval.nanoseconds))
        for _ in 0..<min(steps, 8) { append(Sample(value: value), at: last + interval * steps) }
    }

    /// Takes a value at once, whatever the interval.
    mutating func mark(_ value: Double, at time: Timestamp, isMarked: Bool) {
        append(Sample(value: value, isMarked: isMarked), at: time)
    }

    private mutating func append(_ sample: Sample, at time: Timestamp) {
        if samples.count >= Self.capacity * 2 { samples.removeFirst(samples.count - Self.capacity) }
        samples.append(sample)
        last = time
    }
}
