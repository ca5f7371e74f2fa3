internal import ArgumentParser
internal import SluiceCore
internal import SluicePipeline

/// What every command that downloads takes.
struct SessionOptions: ParsableArguments {
    @Option(
        name: [.customShort("i"), .customLong("input")],
        help: ArgumentHelp("Read URLs from a file, one a line.", valueName: "file")
    )
    var lists: [String] = []

    @Option(help: ArgumentHelp("Save files in this directory; made if missing.", valueName: "dir"))
    var dir = "."

    @Flag(help: "Save no files; images are decoded and cached, the rest is only fetched.")
    var noSave = false

    @Flag(help: "Sync each file before it gets its name.")
    var sync = false

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Add or replace a request header; repeatable.", valueName: "N: V")
    )
    var headers: [String] = []

    @Option(help: ArgumentHelp("Send this User-Agent.", valueName: "text"))
    var userAgent: String?

    @Flag(help: "Send and take no cookies.")
    var noCookies = false

    @Flag(help: "Let a redirect lead from https to http.")
    var allowDowngrade = false

    @Flag(name: .customShort("4"), help: "Use IPv4 only.")
    var ipv4Only = false

    @Flag(name: .customShort("6"), help: "Use IPv6 only.")
    var ipv6Only = false

    @Option(help: ArgumentHelp("Write every event as a line of JSON; - is standard output.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Write every event as a sentence.", valueName: "file"))
    var log: String?

    @OptionGroup(title: "Settings")
    var settings: SettingOptions

    func validate() throws {
        if ipv4Only, ipv6Only { throw ValidationError("-4 and -6 exclude each other; give one of them.") }
        _ = try settings.settings()
        _ = try requestOptions()
    }

    /// The options of every request of this command line.
    ///
    /// - Parameter isForOtherHosts: Leaves out what belongs to the hosts of the URLs on the command line only.
    /// - Returns: The same for all of them.
    /// - Throws: A complaint about a header that is none.
    func requestOptions(isForOtherHosts: Bool = false) throws -> RequestOptions {
        let fields = try headers.map { line in
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
                throw ValidationError("--header '\(line)': write it as 'Name: value'.")
            }
            let name = line[..<colon].trimmed
            let value = line[line.index(after: colon)...].trimmed
            guard name.utf8.allSatisfy(isTokenByte), !value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 })
            else {
                throw ValidationError(
                    "--header '\(line)': a name is letters, digits and -, a value has no control characters."
                )
            }
            return HeaderField(name, value)
        }
        let sent = fields.filter { !isForOtherHosts || !["authorization", "cookie"].contains($0.name.lowercased()) }
        return RequestOptions(headers: sent, saves: !noSave)
    }

    /// The requests of all list files.
    ///
    /// - Parameter options: Chooses the options of each line.
    /// - Returns: In the order of the lists and their lines.
    /// - Throws: ``ExitStatus`` after a message, if one can't be read; nothing is started then.
    func listed(_ options: HostOptions) throws -> [DownloadRequest] {
        var requests: [DownloadRequest] = []
        for path in lists where path != "-" {
            do {
                requests += try ListFile.read(path).map { number, text in
                    DownloadRequest(text, options: options.of(text), source: .list(name: path, line: number))
                }
            } catch let failure as ListFailure {
                throw complain(failure.message)
            }
        }
        return requests
    }

    /// - SeeAlso: RFC 9110 §5.6.2
    private func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

/// The options of requests, by their hosts: what identifies a user belongs to the hosts on the command line only.
struct HostOptions: Sendable {
    private let named: RequestOptions
    private let others: RequestOptions
    private let hosts: Set<String>

    /// - Parameters:
    ///   - options: Of the command line.
    ///   - urls: The URLs on it.
    /// - Throws: A complaint about a header that is none.
    init(_ options: SessionOptions, urls: [String]) throws {
        named = try options.requestOptions()
        others = try options.requestOptions(isForOtherHosts: true)
        hosts = Set(urls.compactMap { Self.host(of: $0) })
    }

    /// The options of a URL that comes from elsewhere.
    func of(_ url: String) -> RequestOptions {
        // Nothing to keep from anybody: then no URL need be taken apart.
        if named.headers.count == others.headers.count { return named }
        guard let host = Self.host(of: url), hosts.contains(host) else { return others }
        return named
    }

    private static func host(of url: String) -> String? {
        do throws(DownloadError) { return try RequestURL(url).host } catch { return nil }
    }
}

/// One option for each setting, named as the setting.
struct SettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Downloads that run at once, 1 to 64.", valueName: "n"))
    var maxActive: String?
    @Option(help: ArgumentHelp("Where new downloads queue: fifo or lifo.", valueName: "order"))
    var order: String?
    @Option(help: ArgumentHelp("Size of the memory cache.", valueName: "size"))
    var cacheCapacity: String?
    @Option(help: ArgumentHelp("What a purge of it leaves at most.", valueName: "size"))
    var cachePreferred: String?
    @Option(help: ArgumentHelp("protocol, cacheElseLoad, cacheOnly, reload or revalidate.", valueName: "policy"))
    var policy: String?
    @Option(help: ArgumentHelp("When a running download loses its last request: finish or abort.", valueName: "what"))
    var lastReceipt: String?
    @Option(help: ArgumentHelp("Decode images: auto, always or never.", valueName: "when"))
    var decode: String?
    @Option(help: ArgumentHelp("Refuse images of more pixels.", valueName: "n"))
    var maxPixels: String?
    @Option(help: ArgumentHelp("When a file of that name is there: rename, skip or overwrite.", valueName: "what"))
    var onExists: String?
    @Option(help: ArgumentHelp("Bytes a second, all together.", valueName: "size"))
    var limitRate: String?
    @Option(help: ArgumentHelp("Refuse larger bodies.", valueName: "size"))
    var maxFileSize: String?
    @Option(help: ArgumentHelp("Seconds without a byte before giving up.", valueName: "s"))
    var timeout: String?
    @Option(help: ArgumentHelp("Seconds to connect.", valueName: "s"))
    var connectTimeout: String?
    @Option(help: ArgumentHelp("Attempts after the first.", valueName: "n"))
    var retries: String?
    @Option(help: ArgumentHelp("The longest Retry-After that is waited for, in seconds.", valueName: "s"))
    var maxRetryAfter: String?
    @Option(help: ArgumentHelp("Seconds for which permanent failures are remembered; 0 for not.", valueName: "s"))
    var failedFor: String?
    @Option(help: ArgumentHelp("image accepts nothing but images.", valueName: "kind"))
    var acceptOnly: String?
    @Option(help: ArgumentHelp("Whether the activity indicator works.", valueName: "bool"))
    var indicatorEnabled: String?
    @Option(help: ArgumentHelp("Seconds of activity before the indicator shows.", valueName: "s"))
    var activationDelay: String?
    @Option(help: ArgumentHelp("Seconds of silence before it hides.", valueName: "s"))
    var completionDelay: String?

    private var given: [(name: String, text: String?)] {
        [
            ("maxActive", maxActive), ("order", order), ("cacheCapacity", cacheCapacity),
            ("cachePreferred", cachePreferred), ("policy", policy), ("lastReceipt", lastReceipt),
            ("decode", decode), ("maxPixels", maxPixels), ("onExists", onExists), ("limitRate", limitRate),
            ("maxFileSize", maxFileSize), ("timeout", timeout), ("connectTimeout", connectTimeout),
            ("retries", retries), ("maxRetryAfter", maxRetryAfter), ("failedFor", failedFor),
            ("acceptOnly", acceptOnly), ("indicatorEnabled", indicatorEnabled),
            ("activationDelay", activationDelay), ("completionDelay", completionDelay),
        ]
    }

    /// The defaults with what was given; a bad value names the option and what is allowed.
    func settings() throws -> Settings {
        var settings = Settings()
        // Both together: neither order of the two may pass through a preferred size above the capacity.
        if cacheCapacity != nil, cachePreferred != nil {
            settings.cachePreferred = 0
        } else if let cacheCapacity, cachePreferred == nil {
            // A smaller cache keeps the proportion of the defaults.
            if case .integer(let capacity)? = (try? Settings.parse("cacheCapacity", cacheCapacity))?.value {
                settings.cachePreferred = min(settings.cachePreferred, capacity / 10 * 6)
            }
        }
        for (name, text) in given {
            guard let text else { continue }
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

extension StringProtocol {
    /// Without white space at its ends.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = self[start...].lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? endIndex
        return String(self[start..<end])
    }
}
