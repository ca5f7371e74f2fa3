/// The states of the network activity indicator.
public enum ActivityState: String, CaseIterable, Sendable {
    case notActive
    case delayingStart
    case active
    case delayingEnd

    /// Whether the indicator is shown.
    public var isVisible: Bool { self == .active || self == .delayingEnd }
}
