/// A value of a setting as it stands in events, on the command line and at the prompt.
public enum SettingValue: Equatable, Sendable {
    /// A number, or a size in bytes.
    case integer(Int)
    /// A time.
    case seconds(Double)
    case flag(Bool)
    /// One of the words that the setting allows.
    case word(String)
    /// Any number of words; `["*"]` means all.
    case list([String])
}
