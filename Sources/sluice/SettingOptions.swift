internal import ArgumentParser
internal import SluiceCore
internal import SluicePipeline

/// One option for each setting, named as the setting.
///
/// Numbers take whatever follows, so that one below zero is told what is allowed, and is not taken for an option.
struct SettingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("Downloads that run at once, 1 to 64.", valueName: "n"))
    var maxActive: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Downloads that run at once from one host; 0 for no limit.", valueName: "n")
    )
    var maxPerHost: String?
    @Option(
        help: ArgumentHelp("Whether the queue starts suspended: true or false.", valueName: "bool"),
        completion: words("suspended")
    )
    var suspended: String?
    @Option(
        help: ArgumentHelp("Where new downloads queue: fifo or lifo.", valueName: "order"),
        completion: words("order")
    )
    var order: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Size of the memory cache.", valueName: "size"))
    var cacheCapacity: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("What a purge of it leaves at most.", valueName: "size"))
    var cachePreferred: String?
    @Option(
        help: ArgumentHelp("protocol, cacheElseLoad, cacheOnly, reload, revalidate or refresh.", valueName: "policy"),
        completion: words("policy")
    )
    var policy: String?
    @Option(help: ArgumentHelp("Whether an image in memory must be fresh to answer.", valueName: "bool"))
    var memoryFreshOnly: String?
    @Option(
        name: .customLong("http-capacity"),
        parsing: .unconditional,
        help: ArgumentHelp("Size of the HTTP cache on disk.", valueName: "size")
    )
    var httpCapacity: String?
    @Option(
        name: .customLong("http-memory"),
        parsing: .unconditional,
        help: ArgumentHelp("Bytes of it held in memory too.", valueName: "size")
    )
    var httpMemory: String?
    @Option(
        help: ArgumentHelp("When a running download loses its last request: finish or abort.", valueName: "what"),
        completion: words("lastReceipt")
    )
    var lastReceipt: String?
    @Option(help: ArgumentHelp("Decode images: auto, always or never.", valueName: "when"), completion: words("decode"))
    var decode: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Refuse images of more pixels.", valueName: "n"))
    var maxPixels: String?
    @Option(
        help: ArgumentHelp("When a file of that name is there: rename, skip or overwrite.", valueName: "what"),
        completion: words("onExists")
    )
    var onExists: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Bytes a second, all together.", valueName: "size"))
    var limitRate: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Refuse larger bodies.", valueName: "size"))
    var maxFileSize: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds without a byte before giving up.", valueName: "s"))
    var timeout: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds to connect.", valueName: "s"))
    var connectTimeout: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Attempts after the first.", valueName: "n"))
    var retries: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The longest Retry-After that is waited for, in seconds.", valueName: "s")
    )
    var maxRetryAfter: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds for which permanent failures are remembered; 0 for not.", valueName: "s")
    )
    var failedFor: String?
    @Option(help: ArgumentHelp("image accepts nothing but images.", valueName: "kind"), completion: words("acceptOnly"))
    var acceptOnly: String?
    @Option(
        help: ArgumentHelp("Query items that make no other download, such as token,sid; * for all.", valueName: "names")
    )
    var keyFilter: String?
    @Option(
        help: ArgumentHelp("Whether the activity indicator works.", valueName: "bool"),
        completion: words("indicatorEnabled")
    )
    var indicatorEnabled: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Seconds of activity before the indicator shows.", valueName: "s")
    )
    var activationDelay: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds of silence before it hides.", valueName: "s"))
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
        } else if let cacheCapacity, cachePreferred == nil {
            // A smaller cache keeps the proportion of the defaults; 0 is no limit.
            if case .integer(let capacity)? = (try? Settings.parse("cacheCapacity", cacheCapacity))?.value, capacity > 0
            {
                settings.cachePreferred = min(settings.cachePreferred, capacity / 10 * 6)
            }
        }
        for (name, path) in Self.paths {
            guard let text = self[keyPath: path] else { continue }
            do throws(SettingError) {
                _ = try settings.apply(try Settings.parse(name, text))
            } catch {
                throw ValidationError("\(optionName(name)) \(text): \(error.message)")
            }
        }
        return settings
    }

    private func optionName(_ name: String) -> String {
        "--" + name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }
}

/// The values of a setting, for completions.
private func words(_ setting: String) -> CompletionKind { .list(Settings.words(of: setting)) }
