internal import ArgumentParser
internal import SluiceCore
internal import SluicePipeline
internal import SluiceStore
internal import SluiceSystem

/// Where answers are stored.
struct CacheOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Keep the HTTP cache here instead of in XDG_CACHE_HOME.", valueName: "dir"),
        completion: .directory
    )
    var cacheDir: String?

    @Flag(name: .customLong("no-http-cache"), help: "Neither use stored answers nor store any.")
    var noHTTPCache = false

    @Flag(help: "Write nothing but the files asked for: no cache, queue, parts or history for the next time.")
    var ephemeral = false

    func validate() throws {
        if cacheDir?.isEmpty == true { throw ValidationError("--cache-dir is empty; give a directory.") }
        if noHTTPCache, cacheDir != nil {
            throw ValidationError("--cache-dir and --no-http-cache exclude each other; give one of them.")
        }
    }

    /// The directory of the cache; `nil` if there is none to be, or no home for it.
    var directory: String? {
        if let cacheDir { return HomeFolder.expanded(cacheDir) }
        if noHTTPCache || ephemeral { return nil }
        return Environment.current.cacheFolder
    }

    /// Opens the cache.
    ///
    /// - Parameters:
    ///   - configuration: Has the limits and the clock; gets a warning if the usual place can't be used.
    ///   - wake: Called on another thread when the cache has news.
    /// - Returns: The cache; `nil` without one.
    /// - Throws: ``ExitStatus`` after a message, if a directory that was asked for can't be used.
    func open(
        _ configuration: inout PipelineConfiguration,
        wake: @escaping @Sendable () -> Void
    ) throws -> sending (any ResponseStoring)? {
        guard let directory else { return nil }
        let settings = configuration.settings
        do throws(DownloadError) {
            return try ResponseStore(
                directory: directory,
                capacity: settings.httpCapacity,
                memory: settings.httpMemory,
                clock: configuration.wallClock,
                wake: wake
            )
        } catch {
            if let cacheDir { throw complain("--cache-dir \(cacheDir): \(error.message)") }
            configuration.startWarning = "nothing is stored for later: \(error.message)"
            return nil
        }
    }
}
