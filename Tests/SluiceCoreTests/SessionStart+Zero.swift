import SluiceCore

extension SessionStart {
    /// Both clocks at zero.
    static let zero = SessionStart(time: Recording.startTime, nanosecondsSince1970: 0)
}
