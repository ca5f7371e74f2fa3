extension DownloadError {
    /// Nothing stored answers a request that must not go to the network.
    ///
    /// - Parameters:
    ///   - options: What the request asks for.
    ///   - policy: That holds for it.
    /// - Returns: With a sentence that says why.
    package static func notCached(_ options: RequestOptions, _ policy: CachePolicy) -> DownloadError {
        let rule = policy == .cacheOnly ? "the policy" : "only-if-cached"
        return DownloadError(.notCached, "\(options.whyNothingAnswers(policy)), and \(rule) forbids the network")
    }

    /// What failed for good a while ago is not asked for again.
    ///
    /// - Parameters:
    ///   - entry: How it failed.
    ///   - remaining: Until it may be tried again.
    ///   - source: Where the request comes from, which decides what one can do.
    /// - Returns: With a sentence that says what to do.
    package static func previouslyFailed(
        _ entry: FailedList.Entry,
        remaining: Duration,
        _ source: DownloadRequest.Source
    ) -> DownloadError {
        let time = "tried again in \(Int(remaining.seconds.rounded(.up))) s"
        let cure = source == .program ? "or asked for with retryFailed" : "or name it alone"
        return DownloadError(
            .previouslyFailed,
            "it failed before: \(entry.error.message); \(time), \(cure)",
            status: entry.error.status
        )
    }
}

extension RequestOptions {
    /// Why nothing that is stored answers it, where nothing does; the start of a sentence.
    fileprivate func whyNothingAnswers(_ policy: CachePolicy) -> String {
        if method != "GET" || body != nil { return "what is stored answers only a GET without a body" }
        if asksForPart { return "what is stored answers no request with a Range or a condition of its own" }
        if sha256 != nil { return "a checksum is compared only with what the network brings" }
        if !policy.usesMemory { return "the policy \(policy.rawValue) takes nothing without asking the origin" }
        return "nothing is stored for it"
    }
}
