/// A value of a setting as it stands in events, on the command line and at the prompt.
public enum SettingValue: Equatable, Sendable {
    case integer(Int)
    case seconds(Double)
    case flag(Bool)
    case word(String)
    case list([String])
}
