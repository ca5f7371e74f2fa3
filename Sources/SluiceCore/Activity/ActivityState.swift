/// The states of the network activity indicator.
public enum ActivityState: String, CaseIterable, Sendable {
    /// Hidden, and no transfer is under way.
    case notActive
    /// Hidden still: the activity may be too short to be worth showing.
    case delayingStart
    /// Shown, while at least one transfer is under way.
    case active
    /// Shown still: the gap may be too short to be worth hiding for.
    case delayingEnd

    /// Whether the indicator is shown.
    public var isVisible: Bool { self == .active || self == .delayingEnd }
}
