internal import SluiceCore

/// Options as they are kept for the next session: with the fields of this one's command line.
///
/// What requests share stays shared, so that it is kept once.
struct KeptOptions {
    /// The last ones, by whether the command line names the host.
    private var last: [Bool: (own: RequestOptions, kept: RequestOptions)] = [:]

    /// The options of a request for a URL under some rules, which are always the same.
    mutating func options(_ own: RequestOptions, for url: RequestURL, _ rules: HostRules) -> RequestOptions {
        guard rules.hasGivenFields else { return own }
        let host = url.host
        let isNamed = rules.namedHosts.contains(host)
        if let last = last[isNamed], last.own === own { return last.kept }
        let kept = own.with(headers: rules.givenFields(own.headers, host: host))
        last[isNamed] = (own, kept)
        return kept
    }
}
