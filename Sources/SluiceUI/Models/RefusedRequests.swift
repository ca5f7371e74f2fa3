internal import SluiceCore

/// Requests that were refused at once, of sources to which nobody else says so.
///
/// Who types, pastes or asks over the socket hears it there; a command line and the lines of lists would be forgotten.
struct RefusedRequests: Sendable {
    struct Request: Equatable, Sendable {
        /// Where it stands, for a line, and what it is; not sanitised.
        let text: String
        let message: String
    }

    /// That are kept.
    static let limit = 10

    private(set) var count = 0
    /// At most ``limit``, oldest first.
    private(set) var first: [Request] = []

    mutating func take(_ submission: Submission) {
        guard let error = submission.error else { return }
        let place: String
        switch submission.origin {
        case .argument: place = ""
        case .list(let name, let line): place = "\(name):\(line): "
        case .standardInput(let line): place = "line \(line): "
        case .prompt, .promptLine, .paste, .prefetch, .feed, .revalidation, .program, .view: return
        }
        count += 1
        if first.count < Self.limit { first.append(Request(text: place + submission.url, message: error.message)) }
    }
}
