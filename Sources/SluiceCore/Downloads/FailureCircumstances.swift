/// What may have caused a failure beside what was asked for: settings, trust, and the way to the server.
///
/// The one place that says what may cause which failure. Where that changes, the failed list forgets those that it may
/// have caused: in a running session by ``cured(since:)``, and those of an earlier session, which left no more than
/// ``mark(of:)``, by that. It does not say which failures are remembered: see ``DownloadError/isPermanent``. Pure.
public struct FailureCircumstances: Sendable {
    /// By which bodies are judged.
    public var settings: Settings
    /// By which hosts are judged, those too that a redirect leads to.
    public var trust: TrustBook
    /// What servers and proxies are told of the program.
    public var userAgent: String
    /// Proxies, and what else of the transport decides who answers; the same text for the same.
    public var route: String

    /// As they are at one moment.
    public init(settings: Settings, trust: TrustBook, userAgent: String, route: String) {
        (self.settings, self.trust, self.userAgent, self.route) = (settings, trust, userAgent, route)
    }

    /// What may cause failures of a kind, as a text to be compared with that of other circumstances.
    ///
    /// - Returns: A hash that is the same in every process, in at most 13 letters and digits.
    public func mark(of code: DownloadError.Code) -> String { String(Fingerprint.hash(text(of: code)), radix: 36) }

    /// The same for each kind.
    public var marks: [DownloadError.Code: String] {
        Dictionary(uniqueKeysWithValues: DownloadError.Code.allCases.map { ($0, mark(of: $0)) })
    }

    /// The kinds of failures that a change may have cured.
    public func cured(since old: FailureCircumstances) -> Set<DownloadError.Code> {
        let before = old.marks
        return Set(marks.filter { before[$0.key] != $0.value }.keys)
    }

    private func text(of code: DownloadError.Code) -> String {
        // Another server, or one that takes the program for another, may answer otherwise, and lead elsewhere.
        let way = userAgent + "\n" + route
        switch code {
        case .badImage:
            let (types, decode) = (settings.acceptOnly.rawValue, settings.decode.rawValue)
            return "\(settings.maxPixels) \(types) \(decode)\n" + way
        case .tlsUntrusted, .tlsFailed:
            return trust.wholeMark + "\n" + way
        case .badURL, .cancelled, .timedOut, .hostNotFound, .cannotConnect, .connectionLost, .tooManyRedirects,
            .badStatus, .badResponse, .truncated, .unacceptableContentType, .badChecksum, .tooLarge, .notCached,
            .previouslyFailed, .diskFull, .ioError, .unsupported:
            return way
        }
    }
}
