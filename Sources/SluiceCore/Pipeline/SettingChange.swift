/// A new value for one setting, already checked.
public struct SettingChange: Equatable, Sendable {
    /// As in ``Settings/names``.
    public let name: String
    /// What the setting is to be.
    public let value: SettingValue
    /// A wish; ``Settings/apply(_:)`` refuses names and values that are not allowed.
    public init(name: String, value: SettingValue) { (self.name, self.value) = (name, value) }
}
