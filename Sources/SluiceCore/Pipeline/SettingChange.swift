/// A new value for one setting, already checked.
public struct SettingChange: Equatable, Sendable {
    public let name: String
    public let value: SettingValue
    public init(name: String, value: SettingValue) { (self.name, self.value) = (name, value) }
}
