/// Measures a rate that is steady enough to read and quick enough to trust.
///
/// What came is weighed less the longer ago it was, by half in about two seconds. The
/// first moments count as they are, so a rate is right from its start. After ``silence``
/// without a byte there is no rate any more, however fast it was. Pure: it is told totals and
/// times.
public struct TransferMeter: Sendable {
    /// In seconds; what is older counts by 1/e.
    private static let window = 3.0
    /// In seconds; a shorter time says nothing about a rate.
    private static let shortest = 0.1
    /// As long as that without a byte is no pause between two of them.
    public static let silence = Duration.seconds(5)

    /// When bytes came last, as far as readings tell, else when the first reading was taken.
    public private(set) var lastNews: Timestamp?
    private var total = 0
    private var last: Timestamp?
    private var bytes = 0.0
    private var time = 0.0

    /// Knows nothing until the first reading.
    public init() {}

    /// Bytes a second, as of the last update.
    public var rate: Int { bytes > 0 ? Int((bytes / max(time, Self.shortest)).rounded()) : 0 }

    /// Takes a reading; the first one only sets the start.
    ///
    /// - Parameters:
    ///   - total: Bytes so far; less than before is a new start from there.
    ///   - now: Not before the last reading.
    public mutating func update(total: Int, now: Timestamp) {
        defer { (self.total, last) = (total, max(now, last ?? now)) }
        if last == nil || total > self.total { lastNews = now }
        guard let last, now >= last else { return }
        let new = Double(max(0, total - self.total))
        let elapsed = (now - last).seconds
        let kept = Self.decay(elapsed / Self.window)
        let weight = (1 - kept) * Self.window
        // As if they had come evenly since the last reading.
        bytes = bytes * kept + (elapsed > 0 ? new * weight / elapsed : new)
        time = time * kept + weight
        // Under a byte a second is silence.
        if bytes < time { bytes = 0 }
        if let lastNews, now - lastNews >= Self.silence { bytes = 0 }
    }

    /// Close to e to the power of −x.
    private static func decay(_ x: Double) -> Double {
        guard x < 16 else { return 0 }
        var power = 1 - x / 1024
        for _ in 0..<10 { power *= power }
        return power
    }
}
