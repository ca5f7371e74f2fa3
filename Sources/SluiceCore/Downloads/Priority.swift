/// Which queued tasks go first; higher levels before lower ones.
public enum Priority: UInt8, CaseIterable, Comparable, Sendable {
    case low
    case normal
    case high

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }

    /// The word in events, commands and settings.
    public var name: String {
        switch self {
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }

    /// Reads ``name``; `nil` for any other word.
    public init?(name: some StringProtocol) {
        guard let priority = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = priority
    }
}
