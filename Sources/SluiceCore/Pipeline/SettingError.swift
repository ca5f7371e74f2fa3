/// Why a setting was refused; the message names the setting and what is allowed.
public struct SettingError: Error, Equatable, Sendable {
    /// A sentence without a full stop.
    public let message: String
    /// A refusal; say which setting it is, and what is allowed.
    public init(message: String) { self.message = message }
}
