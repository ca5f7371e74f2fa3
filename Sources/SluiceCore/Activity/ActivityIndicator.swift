/// Decides when the network activity indicator is visible.
///
/// Bursts shorter than `activationDelay` never show it, and gaps shorter than
/// `completionDelay` never hide it, so the indicator does not flicker. Activity
/// is a set of transfers, not a counter: starting or finishing one twice changes nothing.
///
/// The machine is pure and never sleeps. It has one ``deadline`` at most; the caller
/// reports times through ``timePassed(now:)``, and one before the deadline, or where
/// none is awaited, changes nothing. A delay of zero goes through the same states.
///
/// - SeeAlso: AFNetworking, `AFNetworkActivityIndicatorManager.m`,
///   `-updateCurrentStateForNetworkActivityChange`.
public struct ActivityIndicator: Sendable {
    /// One step from state to state; visible is what its `to` says.
    public struct Change: Equatable, Sendable {
        /// Where the machine was.
        public let from: ActivityState
        /// Where it is now; never equal to `from`.
        public let to: ActivityState
    }

    /// Where the machine is.
    ///
    /// - `notActive` is left for `delayingStart` alone.
    /// - `delayingStart` ends in `active` or `notActive`.
    /// - `active` is left for `delayingEnd`.
    /// - `delayingEnd` ends in `active` or `notActive`.
    ///
    /// Disabling leads from every state to `notActive`.
    public private(set) var state = ActivityState.notActive
    /// Since when it is in this state; the start of time before the first change.
    public private(set) var since = Timestamp(nanoseconds: 0)
    /// When to call ``timePassed(now:)``; set exactly in the delaying states.
    public private(set) var deadline: Timestamp?
    /// Whether activity shows at all; see ``enabledChanged(to:now:)``.
    public private(set) var isEnabled: Bool
    /// Setting it affects later delays.
    public var activationDelay: Duration {
        willSet { precondition(newValue >= .zero, "a delay cannot be negative") }
    }
    /// Setting it affects later delays.
    public var completionDelay: Duration {
        willSet { precondition(newValue >= .zero, "a delay cannot be negative") }
    }
    private var transfers = TransferMap<Void>()

    /// - Parameters:
    ///   - activationDelay: Activity shorter than this stays invisible. `≥ 0`.
    ///   - completionDelay: Silence shorter than this keeps the indicator on. `≥ 0`.
    ///   - isEnabled: Whether activity shows at all.
    public init(
        activationDelay: Duration = .seconds(1),
        completionDelay: Duration = .milliseconds(170),
        isEnabled: Bool = true
    ) {
        precondition(min(activationDelay, completionDelay) >= .zero, "a delay cannot be negative")
        self.activationDelay = activationDelay
        self.completionDelay = completionDelay
        self.isEnabled = isEnabled
    }

    /// Transfers under way.
    public var count: Int { transfers.count }
    /// Whether the indicator is shown: in `active` and in `delayingEnd`.
    public var isVisible: Bool { state.isVisible }

    /// A transfer began.
    ///
    /// - Parameters:
    ///   - transfer: One that is under way already changes nothing.
    ///   - now: Of the caller's clock.
    /// - Returns: The step that it leads to; `nil` if the state stays.
    public mutating func started(_ transfer: TransferID, now: Timestamp) -> Change? {
        guard transfers[transfer] == nil else { return nil }
        transfers[transfer] = ()
        if !isEnabled { return nil }
        switch state {
        case .notActive: return enter(.delayingStart, now: now, until: now + activationDelay)
        case .delayingEnd: return enter(.active, now: now)
        case .delayingStart, .active: return nil
        }
    }

    /// A transfer is over, paused or dropped.
    ///
    /// - Parameters:
    ///   - transfer: One that is not under way changes nothing.
    ///   - now: Of the caller's clock.
    /// - Returns: The step into `delayingEnd`, where it was the last of an active indicator; else `nil`.
    public mutating func finished(_ transfer: TransferID, now: Timestamp) -> Change? {
        guard transfers.removeValue(forKey: transfer) != nil, transfers.isEmpty, state == .active else { return nil }
        return enter(.delayingEnd, now: now, until: now + completionDelay)
    }

    /// Ends a delay whose deadline is reached.
    public mutating func timePassed(now: Timestamp) -> Change? {
        guard let deadline, deadline <= now else { return nil }
        switch state {
        case .delayingStart: return enter(transfers.isEmpty ? .notActive : .active, now: now)
        case .delayingEnd: return enter(.notActive, now: now)
        case .notActive, .active: return nil
        }
    }

    /// Hides at once when disabled; looks at the transfers afresh when enabled.
    public mutating func enabledChanged(to isEnabled: Bool, now: Timestamp) -> Change? {
        guard isEnabled != self.isEnabled else { return nil }
        self.isEnabled = isEnabled
        if isEnabled { return transfers.isEmpty ? nil : enter(.delayingStart, now: now, until: now + activationDelay) }
        return state == .notActive ? nil : enter(.notActive, now: now)
    }

    private mutating func enter(_ next: ActivityState, now: Timestamp, until deadline: Timestamp? = nil) -> Change {
        defer { (state, since, self.deadline) = (next, now, deadline) }
        return Change(from: state, to: next)
    }
}
