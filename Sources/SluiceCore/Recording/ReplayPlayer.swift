/// Where a recording is played, how fast, and when to look again.
///
/// Pure: it gets the time and names times. A paused one never wants to be woken. A silence
/// of the recording that would last longer than ``longestSilence`` passes in that time,
/// whatever the speed. At the end it pauses.
public struct ReplayPlayer: Sendable {
    /// What the keys for faster and slower go through; 1 is the speed of the recording.
    public static let speeds: [Double] = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]
    /// What a longer silence between two events is shortened to.
    public static let longestSilence: Duration = .seconds(3)
    /// What one seek of a key is.
    public static let stride: Duration = .seconds(5)
    /// Between two looks while it plays, at least and at most.
    private static let tick: ClosedRange<Int64> = 50_000_000...250_000_000

    /// What a user may ask for.
    public enum Command: Hashable, Sendable, CaseIterable {
        /// Plays or pauses; at the end, plays it all again.
        case toggle
        /// Applies the next event.
        case step
        /// Goes back to before the last event.
        case stepBack
        /// By ``ReplayPlayer/stride``.
        case back
        /// By ``ReplayPlayer/stride``.
        case forward
        /// To the next of ``ReplayPlayer/speeds``.
        case faster
        /// To the one before of ``ReplayPlayer/speeds``.
        case slower
        /// Goes to the start of the session.
        case start
        /// Goes behind the last event, and pauses.
        case end
    }

    /// A place in a recording that a user names.
    public enum Place: Equatable, Sendable {
        /// Since the start of the session.
        case time(Duration)
        /// `0...100`
        case percent(Double)
    }

    /// In nanoseconds; ascending.
    private let times: [Int64]
    /// Events that are applied: all of those before ``position``, and none after it.
    public private(set) var index = 0
    /// Whether time stands still, as at the end.
    public private(set) var isPaused: Bool
    /// Seconds of the recording in one that passes; above 0.
    public private(set) var speed: Double
    /// In nanoseconds since the start.
    private var place: Int64 = 0
    /// When ``place`` was reached.
    private var anchor: Timestamp?

    /// - Parameters:
    ///   - recording: What is played.
    ///   - speed: One of ``speeds``, or any other above 0.
    ///   - isPaused: Whether it waits to be told to play.
    public init(_ recording: Recording, speed: Double = 1, isPaused: Bool = false) {
        (times, self.speed, self.isPaused) = (recording.times, speed, isPaused)
    }

    /// Since the start of the session.
    public var position: Duration { .nanoseconds(place) }
    /// From the start of the session to the last event.
    public var length: Duration { .nanoseconds(end) }
    /// Whether every event is applied, and no time is left.
    public var isAtEnd: Bool { index == times.count && place == end }
    /// Whether a long silence is passed faster than the speed says.
    public var isSkipping: Bool { !isPaused && rate > speed }

    private var end: Int64 { times.last ?? 0 }

    /// Nanoseconds of the recording in one that passes.
    private var rate: Double {
        guard index < times.count else { return speed }
        let silence = times[index] - (index > 0 ? times[index - 1] : 0)
        return max(speed, Double(silence) / Double(Self.longestSilence.nanoseconds))
    }

    /// Plays up to a time.
    public mutating func advance(to now: Timestamp) {
        defer { anchor = now }
        guard !isPaused, let anchor, now > anchor else { return }
        var left = Double((now - anchor).nanoseconds)
        while index < times.count {
            let needed = Double(times[index] - place) / rate
            guard needed <= left else {
                // Rounding must not reach the event itself: then it would be applied.
                place = min(times[index] - 1, place + Int64(left * rate))
                return
            }
            left -= needed
            place = times[index]
            index += 1
        }
        isPaused = true
    }

    /// When to advance again, or `nil` while it stands still.
    public func nextWake(after now: Timestamp) -> Timestamp? {
        guard !isPaused, index < times.count else { return isPaused ? nil : now }
        let next = Int64(min(Double(times[index] - place) / rate, 1e15))
        return now + .nanoseconds(min(max(next, Self.tick.lowerBound), Self.tick.upperBound))
    }

    /// Carries out what a key asks for.
    public mutating func perform(_ command: Command, at now: Timestamp) {
        advance(to: now)
        switch command {
        case .toggle:
            if isPaused, isAtEnd { (index, place) = (0, 0) }
            isPaused.toggle()
        case .step:
            isPaused = true
            guard index < times.count else { return }
            place = times[index]
            index += 1
        case .stepBack:
            isPaused = true
            guard index > 0 else {
                place = 0
                return
            }
            index -= 1
            place = index > 0 ? times[index - 1] : 0
        case .back: seek(to: .time(position - Self.stride))
        case .forward: seek(to: .time(position + Self.stride))
        case .faster: speed = Self.speeds.first { $0 > speed } ?? speed
        case .slower: speed = Self.speeds.last { $0 < speed } ?? speed
        case .start: seek(to: .time(.zero))
        case .end: seek(to: .percent(100))
        }
    }

    /// Goes to a place, the nearest if there is none like it; at the end it pauses.
    public mutating func seek(to target: Place) {
        let wish: Int64 =
            switch target {
            case .time(let time): time.nanoseconds
            case .percent(let percent): percent >= 100 ? end : Int64(Double(end) * max(0, percent) / 100)
            }
        place = min(max(0, wish), end)
        index = Recording.count(of: times, until: place)
        if isAtEnd { isPaused = true }
    }
}

extension ReplayPlayer.Place {
    /// Reads `1:30`, `1:02:03`, `90`, `90s` or `50%`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        if text.hasSuffix("%") {
            guard let percent = DecimalNumber.parse(text.dropLast()), percent <= 100 else { return nil }
            self = .percent(percent)
            return
        }
        let plain = text.hasSuffix("s") ? text.dropLast() : text[...]
        let parts = plain.split(separator: ":", omittingEmptySubsequences: false)
        guard let last = parts.last, let seconds = DecimalNumber.parse(last), parts.count <= 3,
            parts.count == 1 || (seconds < 60 && plain.endIndex == text.endIndex)
        else { return nil }
        var total = seconds
        for (power, part) in zip([60.0, 3_600], parts.dropLast().reversed()) {
            guard let number = Int(part), number >= 0, power == 3_600 || number < 60 || parts.count == 2 else {
                return nil
            }
            total += Double(number) * power
        }
        guard total <= 1e9 else { return nil }
        self = .time(.microseconds(Int64((total * 1_000_000).rounded())))
    }
}
