/// One call of a program over the control socket, read and checked.
public struct ControlCall: Sendable {
    /// What the answer names it by; echoed as it came.
    public enum ID: Equatable, Sendable {
        /// What is said where the caller's own could not be read.
        case null
        case integer(Int)
        /// With a point or an exponent, or too large for an `Int`; as it was written.
        case number(String)
        case string(String)
    }

    /// What is asked for.
    public enum Action: Sendable {
        /// What the pipeline answers.
        case query(PipelineQuery)
        /// Events from behind `since` on, or new ones.
        case subscribe(since: Int?)
        /// The end of the program, once it is answered.
        case quit
    }

    /// Whether it is answered only when all tasks have ended.
    public var waits: Bool { if case .success(.query(.idle)) = action { true } else { false } }

    /// `nil` for a notification, which is not answered.
    public let id: ID?
    /// `nil` if it could not be read.
    public let method: ControlMethod?
    /// Whether the result is a list of what one call would give.
    public let isList: Bool
    /// What to do, or why it can't be done: then the call is answered with that.
    public let action: Result<Action, ControlError>

    init(id: ID?, method: ControlMethod?, isList: Bool = false, action: Result<Action, ControlError>) {
        (self.id, self.method, self.isList, self.action) = (id, method, isList, action)
    }
}

extension ControlCall {
    init(_ value: JSONValue, _ context: ControlContext) {
        do throws(ControlError) {
            let (id, method, parameters) = try Self.envelope(value)
            do throws(ControlError) {
                guard let known = ControlMethod(rawValue: method) else { throw ControlError.unknownMethod(method) }
                var reader = try ControlParameters(parameters, of: known)
                let action = try reader.action(context)
                try reader.finish()
                self.init(id: id, method: known, isList: reader.isList, action: .success(action))
            } catch {
                self.init(id: id, method: ControlMethod(rawValue: method), action: .failure(error))
            }
        } catch {
            self.init(id: Self.id(in: value) ?? .null, method: nil, action: .failure(error))
        }
    }

    private static func envelope(
        _ value: JSONValue
    ) throws(ControlError) -> (id: ID?, method: String, parameters: JSONValue?) {
        guard let fields = value.object else { throw .invalid("a call is an object, not \(value.kind)") }
        guard fields["jsonrpc"]?.string == "2.0" else { throw .invalid("jsonrpc is \"2.0\"") }
        if fields["id"] != nil, id(in: value) == nil { throw .invalid("id is a string, a number or null") }
        guard let method = fields["method"]?.string else { throw .invalid("method is a string") }
        switch fields["params"] {
        case nil, .object?, .array?: return (id(in: value), method, fields["params"])
        case let other?: throw .invalid("params is an object, not \(other.kind)")
        }
    }

    private static func id(in value: JSONValue) -> ID? {
        switch value["id"] {
        case .null?: .null
        case .integer(let number)?: .integer(number)
        case .number(let number)?: .number(number.text)
        case .string(let text)?: .string(text)
        case .bool?, .array?, .object?, nil: nil
        }
    }
}
