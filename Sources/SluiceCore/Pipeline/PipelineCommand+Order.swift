/// Which commands wait for a list that is still being submitted.
extension PipelineCommand {
    /// Whether it is applied before what is left of a list: it can only name what exists already.
    package var overtakes: Bool {
        switch self {
        case .submit, .cancelAll, .prefetch, .cancelPrefetch, .retryFailed, .replaceURL: false
        // The request of one that failed takes its place behind the list, like any other that is submitted.
        case .steer(.retry, .task): false
        case .set(let change): Self.startingSettings.contains(change.name)
        case .steer, .find, .probe, .deleteFile, .forgetFailure, .forgetFailures: true
        case .cancel, .cancelNewest, .pauseAll, .resumeAll, .removeImages, .clearCache, .pressure, .watch, .observe,
            .inspect, .warn, .shutDown:
            true
        }
    }

    /// Settings of what runs and starts, which the requests of a list are not submitted by.
    private static let startingSettings: Set<String> = ["maxActive", "maxPerHost", "suspended", "limitRate"]
}
