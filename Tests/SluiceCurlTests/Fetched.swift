import SluiceCore

/// What came of one transfer.
struct Fetched: Sendable {
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    /// What the sink was told with each chunk that it took.
    var received: [Int] = []
    var pauses = 0
    /// Kinds of news in the order in which they came.
    var news: [String] = []
    /// Verdicts on the hosts that it came to, and what those showed.
    var decisions: [TrustDecision] = []
    var chains: [TrustChain] = []
    var result: Result<Void, DownloadError> = .failure(DownloadError(.unsupported, "not ended"))
    var sent = 0
    var timings = TransferTimings(total: .zero)
    var unresolvedHost: String?

    var text: String { String(decoding: body, as: UTF8.self) }
    var code: DownloadError.Code? { error?.code }
    var error: DownloadError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
