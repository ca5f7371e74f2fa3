/// Why a request can't send a header field.
public enum HeaderFieldError: Error, Equatable, Sendable {
    /// The name is no token.
    case name
    /// The value has control characters.
    case value
    /// It tells where the body ends, which follows from the body alone: with another length a server waits for bytes
    /// that never come, or takes the rest of the body for the next request.
    case framing
    /// It asks whether a body is welcome before that is sent, which nobody waits for here.
    case expectation

    /// What is allowed, to be put behind the place where the field stands.
    public var text: String {
        switch self {
        case .name, .value: "a name is letters, digits and -, a value has no control characters"
        case .framing: "leave Content-Length and Transfer-Encoding to Sluice: they follow from the body"
        case .expectation: "leave Expect out: the body is sent at once"
        }
    }
}
