/// Why a call over the control socket was refused: a code of JSON-RPC or of Sluice, and a sentence.
///
/// - SeeAlso: JSON-RPC 2.0, §5.1
public struct ControlError: Error, Equatable, Sendable {
    /// −32700 to −32600 as JSON-RPC has it, 1 for an unknown task or receipt, 2 while Sluice ends.
    public let code: Int
    /// For people: it names the field, and what is allowed.
    public let message: String

    /// A code, and the sentence that goes with it.
    public init(code: Int, message: String) { (self.code, self.message) = (code, message) }

    /// The line is no JSON.
    static func parse(_ message: String) -> ControlError { ControlError(code: -32700, message: "no JSON: \(message)") }

    /// The JSON is no call.
    public static func invalid(_ message: String) -> ControlError { ControlError(code: -32600, message: message) }

    static func unknownMethod(_ name: String) -> ControlError {
        let offer =
            EditDistance.offer(ControlMethod.names(near: name))
            ?? "they are \(ControlMethod.allCases.map(\.rawValue).joined(separator: " "))"
        return ControlError(code: -32601, message: "there is no method \(name.prefix(60)); \(offer)")
    }

    /// A field is missing, unknown, of the wrong type or out of range.
    static func field(_ name: String, _ message: String) -> ControlError {
        ControlError(code: -32602, message: "\(name): \(message)")
    }

    /// There never was such a task or receipt, or it is forgotten.
    static func unknown(_ message: String) -> ControlError { ControlError(code: 1, message: message) }

    /// The answer to all that comes while the pipeline ends.
    public static let shuttingDown = ControlError(code: 2, message: "Sluice is shutting down")
}
