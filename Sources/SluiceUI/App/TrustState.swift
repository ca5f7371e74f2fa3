internal import SluiceCore

/// What the view of a host's certificates shows, while it is open.
struct TrustState: Sendable {
    enum News: Sendable {
        case looking
        case failed(String)
        case found(TrustReport)
    }

    /// Number of the look, so that an answer to an earlier one is dropped.
    let ask: Int
    let url: RequestURL
    var news = News.looking
    /// Index of the selected certificate, from the leaf.
    var place = 0
    /// First row that is seen where not everything fits.
    var offset = 0
    // The policy that is tried.
    var pinning = TrustPolicy.Pinning.publicKey
    var allowInvalid = false
    var validatesDomain = true

    init(ask: Int, url: RequestURL) { (self.ask, self.url) = (ask, url) }

    /// `host`, or `host:port` where the port is not that of https; as a pattern is written.
    var host: String {
        url.port == 443 ? url.host : "\(url.host.asURLHost):\(url.port)"
    }

    var report: TrustReport? { if case .found(let report) = news { report } else { nil } }

    /// The policy that is tried, against the selected certificate.
    var trial: TrustTrial {
        TrustTrial(pinning, allowInvalid: allowInvalid, validatesDomain: validatesDomain, place: place)
    }

    /// The selected key, and the next one up the chain as its backup.
    var pins: [String] { (report?.chain.certificates.dropFirst(place).prefix(2)).map { $0.map(\.pin) } ?? [] }
}
