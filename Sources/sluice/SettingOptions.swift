internal import ArgumentParser
internal import SluiceCore
internal import SluicePipeline

/// One option for each setting, named as the setting.
///
/// Numbers take whatever follows, so that one below zero is told what is allowed, and is not taken for an option.
struct SettingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: help("maxActive", "Downloads that run at once, 1 to 64.", "n"))
    var maxActive: String?
    @Option(
        parsing: .unconditional,
        help: help("maxPerHost", "Downloads that run at once from one host; 0 for no limit.", "n")
    )
    var maxPerHost: String?
    @Option(
        help: help("suspended", "Whether the queue starts suspended: true or false.", "bool"),
        completion: words("suspended")
    )
    var suspended: String?
    @Option(
        help: help("order", "Where new downloads queue: fifo or lifo.", "order"),
        completion: words("order")
    )
    var order: String?
    @Option(parsing: .unconditional, help: help("cacheCapacity", "Size of the memory cache.", "size"))
    var cacheCapacity: String?
    @Option(parsing: .unconditional, help: help("cachePreferred", "What a purge of it leaves at most.", "size"))
    var cachePreferred: String?
    @Option(
        help: help("policy", "protocol, cacheElseLoad, cacheOnly, reload, revalidate or refresh.", "policy"),
        completion: words("policy")
    )
    var policy: String?
    @Option(help: help("memoryFreshOnly", "Whether an image in memory must be fresh to answer.", "bool"))
    var memoryFreshOnly: String?
    @Option(
        name: .customLong("http-capacity"),
        parsing: .unconditional,
        help: help("httpCapacity", "Size of the HTTP cache on disk.", "size")
    )
    var httpCapacity: String?
    @Option(
        name: .customLong("http-memory"),
        parsing: .unconditional,
        help: help("httpMemory", "Bytes of it held in memory too.", "size")
    )
    var httpMemory: String?
    @Option(
        help: help("lastReceipt", "When a running download loses its last request: finish or abort.", "what"),
        completion: words("lastReceipt")
    )
    var lastReceipt: String?
    @Option(help: help("decode", "Decode images: auto, always or never.", "when"), completion: words("decode"))
    var decode: String?
    @Option(parsing: .unconditional, help: help("maxPixels", "Refuse images of more pixels.", "n"))
    var maxPixels: String?
    @Option(
        help: help(
            "onExists",
            "When the body came, and its name is that of a file which is not this URL's own: rename, skip or overwrite.",
            "what"
        ),
        completion: words("onExists")
    )
    var onExists: String?
    @Option(parsing: .unconditional, help: help("limitRate", "Bytes a second, all together.", "size"))
    var limitRate: String?
    @Option(parsing: .unconditional, help: help("maxFileSize", "Refuse larger bodies.", "size"))
    var maxFileSize: String?
    @Option(parsing: .unconditional, help: help("timeout", "Seconds without a byte before giving up.", "s"))
    var timeout: String?
    @Option(parsing: .unconditional, help: help("connectTimeout", "Seconds to connect.", "s"))
    var connectTimeout: String?
    @Option(parsing: .unconditional, help: help("retries", "Attempts after the first.", "n"))
    var retries: String?
    @Option(
        parsing: .unconditional,
        help: help("maxRetryAfter", "The longest Retry-After that is waited for, in seconds.", "s")
    )
    var maxRetryAfter: String?
    @Option(
        parsing: .unconditional,
        help: help("failedFor", "Seconds for which permanent failures are remembered; 0 for not.", "s")
    )
    var failedFor: String?
    @Option(help: help("acceptOnly", "image accepts nothing but images.", "kind"), completion: words("acceptOnly"))
    var acceptOnly: String?
    @Option(
        help: help("keyFilter", "Query items that make no other download, such as token,sid; * for all.", "names")
    )
    var keyFilter: String?
    @Option(
        help: help("indicatorEnabled", "Whether the activity indicator works.", "bool"),
        completion: words("indicatorEnabled")
    )
    var indicatorEnabled: String?
    @Option(
        parsing: .unconditional,
        help: help("activationDelay", "Seconds of activity before the indicator shows.", "s")
    )
    var activationDelay: String?
    @Option(parsing: .unconditional, help: help("completionDelay", "Seconds of silence before it hides.", "s"))
    var completionDelay: String?

    private static var paths: [(name: String, path: WritableKeyPath<SettingOptions, String?>)] {
        [
            ("maxActive", \.maxActive), ("maxPerHost", \.maxPerHost), ("order", \.order), ("suspended", \.suspended),
            ("cacheCapacity", \.cacheCapacity), ("cachePreferred", \.cachePreferred), ("policy", \.policy),
            ("memoryFreshOnly", \.memoryFreshOnly), ("httpCapacity", \.httpCapacity), ("httpMemory", \.httpMemory),
            ("lastReceipt", \.lastReceipt), ("decode", \.decode), ("maxPixels", \.maxPixels), ("onExists", \.onExists),
            ("limitRate", \.limitRate), ("maxFileSize", \.maxFileSize), ("timeout", \.timeout),
            ("connectTimeout", \.connectTimeout), ("retries", \.retries), ("maxRetryAfter", \.maxRetryAfter),
            ("failedFor", \.failedFor), ("acceptOnly", \.acceptOnly), ("keyFilter", \.keyFilter),
            ("indicatorEnabled", \.indicatorEnabled), ("activationDelay", \.activationDelay),
            ("completionDelay", \.completionDelay),
        ]
    }

    /// Takes what was not given from the configuration.
    mutating func fill(_ defaults: [(name: String, text: String)]) {
        // A preferred size belongs to its capacity: with another capacity it says nothing.
        let hasCapacity = cacheCapacity != nil
        for (name, path) in Self.paths where self[keyPath: path] == nil {
            if name == "cachePreferred", hasCapacity { continue }
            self[keyPath: path] = defaults.last { $0.name == name }?.text
        }
    }

    /// The defaults with what was given; a bad value names the option and what is allowed.
    func settings() throws -> Settings {
        var settings = Settings()
        // Both together: neither order of the two may pass through a preferred size above the capacity.
        if cacheCapacity != nil, cachePreferred != nil {
            settings.cachePreferred = 0
        } else if let usualPreferred {
            settings.cachePreferred = usualPreferred
        }
        for (name, path) in Self.paths {
            guard let text = self[keyPath: path] else { continue }
            try judge(name, text) { () throws(SettingError) in try settings.apply(Settings.parse(name, text)) }
        }
        return settings
    }

    /// That a smaller cache takes what a purge leaves down with it, for whoever gave its size alone.
    ///
    /// For the command line, so before a configuration fills in what it says.
    var capacityNote: String? {
        guard let cacheCapacity, let usualPreferred, usualPreferred < Settings().cachePreferred else { return nil }
        return "cachePreferred is \(ByteCount.text(usualPreferred)) unless set: "
            + "--cache-capacity \(cacheCapacity) takes it down"
    }

    /// What a purge leaves of a cache whose size was given alone.
    ///
    /// `nil` where it was not, and where the size is none, which is judged elsewhere.
    private var usualPreferred: Int? {
        guard let cacheCapacity, cachePreferred == nil,
            case .integer(let capacity)? = (try? Settings.parse("cacheCapacity", cacheCapacity))?.value
        else { return nil }
        return Settings.usualPreferred(of: capacity)
    }

    /// Looks at each option alone; together they are judged with what the file says.
    ///
    /// - Throws: A sentence for the user about the first that no setting can have.
    func validate() throws {
        for (name, path) in Self.paths {
            guard let text = self[keyPath: path] else { continue }
            try judge(name, text) { () throws(SettingError) in try Settings.parse(name, text) }
        }
    }

    /// Says which option it is that can't be taken.
    private func judge<Result>(_ name: String, _ text: String, _ take: () throws(SettingError) -> Result) throws {
        do throws(SettingError) {
            _ = try take()
        } catch {
            throw ValidationError("\(optionName(name)) \(text): \(error.message)")
        }
    }

    private func optionName(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }
}

/// What an option of a setting takes, and its default as the settings have it.
private func help(_ setting: String, _ text: String, _ valueName: String) -> ArgumentHelp {
    let usual = Settings.usual[setting].map { " (default: \($0))" } ?? ""
    // Inside of the sentence.
    return ArgumentHelp("\(text.dropLast())\(usual).", valueName: valueName)
}

/// The values of a setting, for completions.
private func words(_ setting: String) -> CompletionKind { .list(Settings.words(of: setting)) }
