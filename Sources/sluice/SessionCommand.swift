internal import ArgumentParser

/// A command that downloads.
protocol SessionCommand: ParsableCommand {
    var general: GeneralOptions { get set }
    var cache: CacheOptions { get }
    var requests: RequestArguments { get set }
    var trust: TrustOptions { get }
    var settings: SettingOptions { get set }
}

extension SessionCommand {
    /// What it is asked for, in all sections.
    var options: SessionOptions {
        get { SessionOptions(general: general, cache: cache, requests: requests, trust: trust, settings: settings) }
        set { (general, requests, settings) = (newValue.general, newValue.requests, newValue.settings) }
    }
}
