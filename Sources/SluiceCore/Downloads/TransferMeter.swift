/// Measures a rate that is steady enough to read and quick enough to trust.
///
/// What came is weighed less the longer ago it was, by half in about two seconds. The
/// measurement begins with the first bytes, and again with those after a ``silence``, in which
/// there is no rate, however fast it was. How long those first bytes took nobody saw: until
/// there is a time to measure, they count as those of a second, and once there is, not at all.
/// Pure: it is told totals and times.
public struct TransferMeter: Sendable {
    /// In seconds; what is older counts by 1/e.
    private static let window = 3.0
    /// In seconds; bytes of a shorter time are no rate.
    private static let shortest = 1.0
    /// In seconds; the rate of a shorter time says nothing about the time to come.
    private static let steady = 2.0
    /// In bytes a second: a log may tell of more than can be counted or added up.
    private static let fastest = 0x1p53
    /// As long as that without a byte is no pause between two of them.
    public static let silence = Duration.seconds(5)

    /// When bytes came last, as far as readings tell, else when the first reading was taken.
    public private(set) var lastNews: Timestamp?
    private var total = 0
    private var last: Timestamp?
    /// When the first bytes were seen; `nil` without any since the start or since a silence.
    private var begun: Timestamp?
    /// The first bytes, as long as they count.
    private var first = 0.0
    /// The same for good.
    private var opening = 0.0
    /// What came after them, and the time that it took, both weighed.
    private var bytes = 0.0
    private var time = 0.0

    /// Knows nothing until the first reading.
    public init() {}

    /// Bytes a second, as of the last update.
    public var rate: Int {
        guard let begun, let last else { return 0 }
        let span = (last - begun).seconds
        let mean = time > 0 ? bytes / time : 0
        if span < Self.shortest { return Self.whole((first + mean * span) / Self.shortest) }
        return Self.whole(bytes > 0 ? mean : first / span)
    }

    /// Whether it has measured long enough for a guess at the time to come.
    ///
    /// The first bytes are what lay ready: they say how much that was and not how fast more comes, so that others
    /// must have followed.
    public var isMeasured: Bool {
        guard let begun, let last else { return false }
        return isSteady || (bytes > 0 && (last - begun).seconds >= Self.shortest)
    }

    /// Whether it has measured long enough to tell from the rate when all will be there.
    public var isSteady: Bool {
        guard let begun, let last else { return false }
        return (last - begun).seconds >= Self.steady
    }

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
        guard let begun else {
            if new > 0 { (self.begun, first, opening) = (now, new, new) }
            return
        }
        let elapsed = (now - last).seconds
        let kept = Self.decay(elapsed / Self.window)
        let weight = (1 - kept) * Self.window
        // As if they had come evenly since the last reading.
        bytes = bytes * kept + (elapsed > 0 ? new * weight / elapsed : new)
        time = time * kept + weight
        // Under a byte a second is silence.
        if bytes < time { bytes = 0 }
        if (now - begun).seconds >= Self.shortest { first = bytes > 0 ? 0 : first * kept }
        if let lastNews, now - lastNews >= Self.silence { restart() }
    }

    /// Begins anew with the next bytes: those before came under conditions that are no more.
    public mutating func restart() { (begun, first, opening, bytes, time) = (nil, 0, 0, 0, 0) }

    /// Forgets what another one measured that is a part of this, and goes no further.
    ///
    /// Sums of weighed bytes can be subtracted: what is left is what the others bring.
    ///
    /// - Parameter part: Of the same times as this one, or of its later ones.
    public mutating func forget(_ part: TransferMeter) {
        if begun == part.begun { first = max(0, first - part.first) }
        // The first bytes of a later part came while this one was measuring.
        let late = begun == part.begun ? 0 : part.late
        bytes = max(0, bytes - part.bytes - late)
        if bytes < time { bytes = 0 }
        if first == 0, bytes == 0 { restart() }
    }

    private static func whole(_ rate: Double) -> Int { Int(min(rate, fastest).rounded()) }

    /// What is left of the weight of the first bytes.
    private var late: Double {
        guard let begun, let last else { return 0 }
        return opening * Self.decay((last - begun).seconds / Self.window)
    }

    /// Close to e to the power of −x.
    private static func decay(_ x: Double) -> Double {
        guard x < 16 else { return 0 }
        var power = 1 - x / 1024
        for _ in 0..<10 { power *= power }
        return power
    }
}
