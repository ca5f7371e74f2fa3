internal import ArgumentParser
internal import SluiceCore

/// What every command that downloads takes, section by section; the general ones read as its own.
///
/// The sections are groups of the command itself: a debug build of the parser checks each group four times for every
/// group around it, and tests start the program a thousand times.
@dynamicMemberLookup
struct SessionOptions {
    var general: GeneralOptions
    let cache: CacheOptions
    var requests: RequestArguments
    let trust: TrustOptions
    var settings: SettingOptions

    subscript<Value>(dynamicMember path: KeyPath<GeneralOptions, Value>) -> Value { general[keyPath: path] }

    /// Takes what was not given from the configuration, whose rules leave alone what was given.
    ///
    /// - Parameters:
    ///   - configuration: Of the file.
    ///   - ownOutput: What has standard output for itself, if anything has.
    ///   - wantsBody: Whether a body goes elsewhere than to a file.
    /// - Throws: A complaint, if the two contradict each other.
    mutating func fill(_ configuration: inout Configuration, ownOutput: String?, wantsBody: Bool = false) throws {
        if requests.userAgent != nil { configuration.leave("User-Agent") }
        let defaults = configuration.defaults
        general.fill(defaults, wantsBody: wantsBody)
        if general.log == nil, !cache.ephemeral, let usual = defaults.log.map(HomeFolder.expanded) {
            try check(log: usual, ownOutput: ownOutput, configuration)
            general.log = usual
        }
        requests.fill(defaults)
        settings.fill(configuration.settings)
        do {
            _ = try settings.settings()
        } catch let error as ValidationError {
            throw complain(error.message)
        }
    }

    /// The files that the command reads, which nothing may be written over.
    var inputs: [OutputFiles.Taken] {
        var found = general.lists.filter { $0 != "-" }.map { OutputFiles.Taken(name: "a list that is read", path: $0) }
        func add(_ name: String, _ path: String?) {
            if let path { found.append(OutputFiles.Taken(name: name, path: path)) }
        }
        add("the configuration", general.config.map(HomeFolder.expanded) ?? Configuration.usualPath)
        add("the body of --data", requests.dataPath)
        add("the file of --cacert", trust.cacert)
        add("the file of --proxy-cacert", trust.proxyCacert)
        add("the file of --cert", trust.cert)
        add("the file of --key", trust.key)
        return found
    }

    /// Refuses the log that a configuration names where it would go among something else.
    private func check(log: String, ownOutput: String?, _ configuration: Configuration) throws {
        let file = configuration.place.map(HomeFolder.abbreviated) ?? "the configuration"
        if log == "-", let ownOutput {
            throw complain("log of \(file) goes to standard output, and so does \(ownOutput): give --log FILE")
        }
        if log == general.events {
            throw complain("log of \(file) and --events both go to \(log): give another --log FILE")
        }
    }
}
