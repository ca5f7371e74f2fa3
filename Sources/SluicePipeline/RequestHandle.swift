internal import SluiceCore

/// A request that was submitted with a completion, by which it can be taken back; see ``ImagePipeline/cancel(_:)``.
///
/// Holds who hears the outcome until it is there, and nothing afterwards.
///
/// - SeeAlso: AFNetworking's `AFImageDownloadReceipt`, which its downloader cancels by.
public final class RequestHandle: Sendable {
    private struct State {
        /// Hears the outcome; `nil` once it did.
        var completion: (@Sendable (RequestOutcome) -> Void)?
        var receipt: ReceiptID?
    }

    /// Whose request it is: another pipeline's receipts have the same numbers.
    let owner: ObjectIdentifier
    /// What the source of the request says.
    let isKept: Bool
    private let state: Locked<State>

    init(
        _ request: DownloadRequest,
        owner: ObjectIdentifier,
        completion: @escaping @Sendable (RequestOutcome) -> Void
    ) {
        (self.owner, isKept) = (owner, request.source.isKept)
        state = Locked(State(completion: completion))
    }

    /// The claim of the request; `nil` before its turn, and for one that was answered or refused at once.
    var receipt: ReceiptID? { state.withLock { $0.receipt } }

    /// Whether it has its outcome.
    var isOver: Bool { state.withLock { $0.completion == nil } }

    /// Notes the claim that the request got.
    func claim(_ receipt: ReceiptID) { state.withLock { $0.receipt = receipt } }

    /// Tells the outcome, unless there was one before.
    func finish(_ outcome: RequestOutcome) {
        let completion: (@Sendable (RequestOutcome) -> Void)? = state.withLock { state in
            defer { state.completion = nil }
            return state.completion
        }
        guard let completion else { return }
        var outcome = outcome
        outcome.receipt = receipt
        completion(outcome)
    }
}
