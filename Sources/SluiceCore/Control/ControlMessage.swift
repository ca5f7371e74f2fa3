/// What one line of a client holds.
public enum ControlMessage: Sendable {
    /// Answered alone, unless it is a notification.
    case single(ControlCall)
    /// Answered together, in one array; never empty.
    case batch([ControlCall])

    /// Calls of one batch: their answers are held until all of them are there.
    static let batchLimit = 10_000

    /// Reads a line, without its line break; what is wrong with it is a call that answers so.
    ///
    /// - SeeAlso: JSON-RPC 2.0, §4 and §6
    public init(line: ArraySlice<UInt8>, context: ControlContext) {
        let value: JSONValue
        do throws(JSONValue.ParseError) {
            value = try JSONValue(parsing: line)
        } catch {
            self = .single(ControlCall(id: .null, method: nil, action: .failure(.parse(error.description))))
            return
        }
        switch value {
        case .array(let calls) where (1...Self.batchLimit).contains(calls.count):
            self = .batch(calls.map { ControlCall($0, context) })
        case .array(let calls):
            let limit = calls.isEmpty ? "at least one call" : "at most \(Self.batchLimit) calls"
            let error = ControlError.invalid("a batch holds \(limit)")
            self = .single(ControlCall(id: .null, method: nil, action: .failure(error)))
        default: self = .single(ControlCall(value, context))
        }
    }
}
