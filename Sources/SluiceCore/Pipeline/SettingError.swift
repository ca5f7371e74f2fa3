/// Why a setting was refused; the message names the setting and what is allowed.
public struct SettingError: Error, Equatable, Sendable {
    public let message: String
    public init(message: String) { self.message = message }
}
