/// Why a call over the control socket was refused: a code of JSON-RPC or of Sluice, and a sentence.
///
/// - SeeAlso: JSON-RPC 2.0, §5.1
public struct ControlError: Error, Equatable, Sendable {
    public let code: Int
    public let message: String

    public init(code: Int, message: String) { (self.code, self.message) = (code, message) }

    /// The line is no JSON.
    static func parse(_ message: String) -> ControlError { ControlError(code: -32700, message: "no JSON: \(message)") }

    /// The JSON is no call.
    public static func invalid(_ message: String) -> ControlError { ControlError(code: -32600, message: message) }

    static func unknownMethod(_ name: String) -> ControlError {
        let near = ControlMethod.names(near: name)
        let offer =
            near.isEmpty
            ? "they are \(ControlMethod.allCases.map(\.rawValue).joined(separator: " "))"
            : "did you mean \(near.joined(separator: " or "))?"
        return ControlError(code: -32601, message: "there is no method \(name.prefix(60)); \(offer)")
    }

    /// A field is missing, unknown, of the wrong type or out of range.
    static func field(_ name: String, _ message: String) -> ControlError {
        ControlError(code: -32602, message: "\(name): \(message)")
    }

    /// There never was such a task or receipt, or it is forgotten.
    static func unknown(_ message: String) -> ControlError { ControlError(code: 1, message: message) }

    public static let shuttingDown = ControlError(code: 2, message: "Sluice is shutting down")
}
