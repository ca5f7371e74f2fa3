internal import SluiceCore

/// Decides when to draw: answers to the user at once, data seldom, the spinner in between, and nothing when idle.
///
/// Pure: it gets the time and names times. It does not know what is drawn.
struct FramePacer: Sendable {
    enum Reason: Int, Comparable, Sendable {
        /// Only the spinner may step.
        case spinner
        /// News of the pipeline.
        case data
        /// Something that the user did, or must see at once.
        case urgent

        static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
    }

    static let dataInterval: Duration = .milliseconds(250)
    static let spinnerInterval: Duration = .milliseconds(125)
    static let unfocusedInterval: Duration = .seconds(1)
    static let answerTime: Duration = .milliseconds(100)

    static let longestHold: Duration = .milliseconds(100)
    static let linkPatience: Duration = .seconds(5)
    /// Between frames where the terminal can't follow: 4, 2, 1 a second.
    static let slowIntervals: [Duration] = [dataInterval, .milliseconds(500), .seconds(1)]
    static let slowestLink = slowIntervals.count - 1

    /// Whether the terminal has the focus; else a frame a second is enough.
    var isFocused = true
    /// Between two steps of the spinner; longer where every byte goes through a network.
    var spinnerInterval = Self.spinnerInterval
    /// How often the rate was halved since the terminal could not follow.
    private(set) var slowness = 0
    private var lastSlow: Timestamp?
    /// Until then nothing is written, since the terminal still has to take what was.
    private var holdUntil: Timestamp?
    private var dirty: Reason?
    private var hasSpun = false
    private var lastData: Timestamp?
    private var lastFrame: Timestamp?
    private var answerUntil: Timestamp?

    mutating func invalidate(_ reason: Reason) {
        if reason == .spinner { hasSpun = true } else { dirty = max(dirty ?? reason, reason) }
    }

    /// A key sent a command: what follows soon is shown at once.
    ///
    /// Not only the first snapshot: under load one that was taken before the command is still on its way.
    mutating func commandSent(at now: Timestamp) { answerUntil = now + Self.answerTime }

    /// It is news if it looks different from the one before.
    mutating func snapshotArrived(at now: Timestamp, isNews: Bool) {
        guard isNews else { return }
        let isAnswer = answerUntil.map { now <= $0 } ?? false
        if !isAnswer { answerUntil = nil }
        invalidate(isAnswer ? .urgent : .data)
    }

    /// What the last frame told of the terminal: one that lags gets half as many, never a queue of them.
    mutating func linkMeasured(isSlow: Bool, at now: Timestamp) {
        if isSlow {
            slowness = min(slowness + 1, Self.slowestLink)
            (lastSlow, holdUntil) = (now, now + Self.longestHold)
        } else if slowness > 0, let last = lastSlow, now - last >= Self.linkPatience {
            slowness -= 1
            lastSlow = now
        }
    }

    /// When a frame is due, or `nil`.
    func due(now: Timestamp) -> Timestamp? {
        guard let due = wish(now: now) else { return nil }
        return holdUntil.map { max($0, due) } ?? due
    }

    private func wish(now: Timestamp) -> Timestamp? {
        if dirty == .urgent { return now }
        let data = dirty == nil ? nil : lastData.map { $0 + dataInterval } ?? now
        let spins = hasSpun && isFocused && slowness == 0
        let spinner = spins ? lastFrame.map { $0 + spinnerInterval } ?? now : nil
        guard let data, let spinner else { return data ?? spinner }
        return min(data, spinner)
    }

    /// Whether all may be drawn now, or only the spinner.
    func showsData(now: Timestamp) -> Bool {
        guard let lastData, dirty != .urgent else { return true }
        return dirty != nil && lastData + dataInterval <= now
    }

    /// A frame was drawn, of all or of the spinner only.
    mutating func drawn(data: Bool, at now: Timestamp) {
        (lastFrame, hasSpun, holdUntil) = (now, false, nil)
        if data { (dirty, lastData) = (nil, now) }
    }

    private var dataInterval: Duration {
        max(isFocused ? Self.dataInterval : Self.unfocusedInterval, Self.slowIntervals[slowness])
    }
}
