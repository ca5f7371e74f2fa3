internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceStore
internal import SluiceSystem

/// `sluice cache`: the HTTP cache on disk, also while a session uses it.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look at the HTTP cache on disk, or clear it.",
        subcommands: [Info.self, List.self, Clear.self],
        defaultSubcommand: Info.self
    )

    /// Which cache is meant.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("The cache in this directory.", valueName: "dir"))
        var cacheDir: String?

        func path() throws -> String {
            guard let path = cacheDir.map(HomeFolder.expanded) ?? Environment.current.cacheFolder, !path.isEmpty else {
                throw ValidationError(
                    "There is no home for a cache: set XDG_CACHE_HOME or HOME, or give --cache-dir DIR."
                )
            }
            return path
        }

        /// The cache; `nil` if nothing was ever stored there, which is then left so.
        ///
        /// - Throws: ``ExitStatus`` after a message, if it can't be reached: who clears it must not believe it empty.
        func open() throws -> ResponseCatalog? {
            let path = try path()
            var status = stat()
            guard unsafe stat(path + "/index.db", &status) == 0 else {
                let code = errno
                if code == ENOENT { return nil }
                let reason = unsafe String(cString: strerror(code))
                throw complain(
                    "can't look into the HTTP cache \(path): \(reason): check that it is a folder of yours, "
                        + "or name another with --cache-dir DIR"
                )
            }
            do throws(DownloadError) {
                return try ResponseCatalog(directory: path)
            } catch {
                throw complain("\(path): \(error.message)")
            }
        }
    }

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Where it is and how full.")
        @OptionGroup var place: Place

        func run() throws {
            let totals = try CacheCommand.attempt(
                { catalog throws(DownloadError) in try catalog.totals() },
                on: try place.open()
            )
            let (count, bytes) = (totals?.count ?? 0, totals?.bytes ?? 0)
            try StandardOutput.write(lines: [
                "directory  \(try place.path().withVisibleControls)",
                "responses  \(count)",
                "usage      \(ByteCount.text(bytes)) (\(bytes) bytes)",
                "capacity   \(ByteCount.text(Settings().httpCapacity)) unless httpCapacity says otherwise",
            ])
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every stored answer, the most recently used first: size, how fresh, URL."
        )
        @OptionGroup var place: Place

        func run() throws {
            guard let catalog = try place.open() else { return }
            let now = CacheCommand.now()
            var lines: [String] = []
            var output = Result<Bool, any Error>.success(true)
            let visit = Result {
                try CacheCommand.attempt(
                    { catalog throws(DownloadError) in
                        try catalog.visit { entry in
                            lines.append(Self.line(entry.response, now: now))
                            if lines.count < Self.batch { return true }
                            output = Result { try StandardOutput.write(lines: lines) }
                            lines = []
                            return (try? output.get()) == true
                        }
                    },
                    on: catalog
                )
            }
            if try output.get() { try StandardOutput.write(lines: lines) }
            _ = try visit.get()
        }

        private static func line(_ response: StoredResponse, now: Int64) -> String {
            let state = CacheCommand.state(response, now: now)
            return "\("\(response.size)".leftPadded(12))  \(state.padded(20))  \(response.url.withVisibleControls)"
        }

        /// Lines that are written at once.
        private static let batch = 100
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove every stored answer; files that were saved stay."
        )
        @OptionGroup var place: Place

        func run() throws {
            let removed = try CacheCommand.attempt(
                { catalog throws(DownloadError) in try catalog.clear() },
                on: try place.open()
            )
            let count = removed?.count ?? 0
            let noun = count == 1 ? "response" : "responses"
            try StandardOutput.write(lines: ["removed \(count) \(noun), \(ByteCount.text(removed?.bytes ?? 0))"])
        }
    }

    private static func attempt<Result>(
        _ body: (ResponseCatalog) throws(DownloadError) -> Result,
        on catalog: ResponseCatalog?
    ) throws -> Result? {
        guard let catalog else { return nil }
        do throws(DownloadError) { return try body(catalog) } catch { throw complain(error.message) }
    }

    /// In milliseconds since 1970.
    private static func now() -> Int64 { Int64(time(nil)) * 1000 }

    private static func state(_ response: StoredResponse, now: Int64) -> String {
        let freshness = Freshness(response, now: now)
        if CacheControl(response.fields).noCache { return "asked every time" }
        return freshness.isFresh ? "fresh for \(freshness.remaining) s" : "stale for \(freshness.staleness) s"
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - utf8.count)) }
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - utf8.count)) + self
    }
}
