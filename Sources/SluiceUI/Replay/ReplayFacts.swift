internal import SluiceCore

/// What the screen says of the recording that it shows.
struct ReplayFacts: Equatable, Sendable {
    /// Of the file; not sanitised.
    var name: String
    /// Since the start of the session.
    var position: Duration
    var length: Duration
    var speed: Double
    var isPaused = false
    /// Whether a long silence passes faster than the speed says.
    var isSkipping = false
    /// Events that were applied.
    var index = 0
    var count: Int
    /// The last line of the file, if it was cut off and left out.
    var cutOffLine: Int?
    /// Whether nothing follows.
    var isOver = false
    /// What keys asked for and the player has not heard of yet.
    var commands: [ReplayPlayer.Command] = []

    /// `▸ 0:42 / 1:30  4×`; what the recording does, where, and how fast.
    var text: StyledText {
        state + .figure(Format.time(position)) + .dim(" / \(Format.time(length))  ") + .plain(speedText)
    }

    /// `▸ 0:42`.
    var short: StyledText { state + .figure(Format.time(position)) }

    /// What is to be said of where it stands, longest first: that it is over, and that the file goes no further.
    var notes: [String] {
        let ends = isOver ? [" · the recording ends here", " · its end"] : ["", ""]
        let cuts = cutOffLine.map { [" · line \($0) is cut off: shown is all before it", " · line \($0) is cut off"] }
        guard let cuts else { return ends }
        return [ends[0] + cuts[0], ends[0] + cuts[1], ends[1] + cuts[1]]
    }

    /// `¼×`, `1×`, `64×`.
    private var speedText: String {
        let hundredths = Int((min(speed, 1_000_000) * 100).rounded())
        let fraction = hundredths % 100 == 0 ? "" : ".\(Format.two(hundredths % 100))"
        return "\(hundredths / 100)\(fraction.hasSuffix("0") ? String(fraction.dropLast()) : fraction)×"
    }

    private var state: StyledText {
        if isPaused { return .bold("‖ ", .wait) }
        return isSkipping ? .bold("» ", .accent) : .bold("▸ ", .ok)
    }
}
