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
        switch submission.origin {
        case .argument, .list, .standardInput: break
        case .prompt, .promptLine, .paste, .prefetch, .feed, .revalidation, .program, .view: return
        }
        count += 1
        guard first.count < Self.limit else { return }
        first.append(Request(text: submission.origin.linePlace + submission.url, message: error.message))
    }
}
