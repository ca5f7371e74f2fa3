internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceCurl
internal import SluicePipeline
internal import SluiceStore
internal import SluiceSystem
internal import SluiceTerminal

/// What a session's options and wiring say to each of its sides.
extension Session {
    /// Of the pipeline, as far as nothing has to be opened for it.
    static func configuration(
        _ options: SessionOptions,
        _ wiring: Wiring,
        _ start: SessionStart
    ) throws -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.settings = try options.settings.settings()
        if wiring.outputDescriptor != nil {
            // What was written can't be read again.
            configuration.settings.decode = .never
        }
        configuration.version = Version.current
        configuration.userAgent = options.requests.userAgent
        configuration.hostRules = wiring.hostRules
        configuration.isDashboard = wiring.isDashboard
        configuration.endsOnFullDisk = !wiring.isDashboard
        configuration.keepsJournal = wiring.keepsJournal
        configuration.watchesMemory = true
        configuration.allowsDowngrade = options.requests.allowDowngrade == true
        configuration.trust = wiring.trust
        (configuration.startTime, configuration.startWallClock) = (start.time, start.nanosecondsSince1970)
        configuration.snapshotInterval = wiring.snapshotInterval
        return configuration
    }

    static func transport(_ options: SessionOptions, _ wiring: Wiring) throws -> CurlTransport.Configuration {
        var configuration = CurlTransport.Configuration()
        if wiring.usesProxies {
            configuration.proxies = try options.requests.proxies(fallback: wiring.usualProxy)
        }
        configuration.proxyAuthorities = wiring.proxyAuthorities
        configuration.cookies = options.requests.cookies != false
        configuration.ipVersion = options.ipv4Only ? .v4 : options.ipv6Only ? .v6 : .any
        return configuration
    }

    static func files(
        _ options: SessionOptions,
        _ wiring: Wiring,
        _ loop: TransferLoop,
        _ stop: OutputStop
    ) throws -> sending (any FileStoring)? {
        if let descriptor = wiring.outputDescriptor {
            return StreamStore(descriptor: descriptor, stop: stop, sums: options.requests.sha256 != nil)
        }
        if options.noSave { return nil }
        do throws(DownloadError) {
            return try DirectoryStore(directory: options.dir, syncs: options.sync == true) { loop.wake() }
        } catch {
            throw complain("--dir \(options.dir): \(error.message)")
        }
    }

    static func state(
        _ options: SessionOptions,
        _ wiring: Wiring,
        _ settings: Settings,
        directory: String?
    ) -> StateStore? {
        // Where neither files nor a queue are kept, there is nothing to read or to write.
        let keepsSomething = wiring.isDashboard || (!options.noSave && wiring.outputDescriptor == nil)
        guard keepsSomething, !options.cache.ephemeral, let folder = Environment.current.stateFolder else { return nil }
        var configuration = StateStore.Configuration(
            folder: folder,
            directory: directory,
            keepsQueue: wiring.isDashboard
        )
        configuration.startsFresh = options.fresh
        // Who says how the queue starts means a restored one too.
        if options.settings.suspended != nil { configuration.suspension = settings.suspended }
        return StateStore(configuration)
    }

    static func outputs(
        _ options: SessionOptions,
        _ signals: SignalWatch?,
        _ stop: OutputStop,
        _ start: SessionStart
    ) throws -> [EventWriter] {
        var files = OutputFiles(beside: options.inputs)
        let events = try options.events.map { try files.open($0, option: "--events", signals) }
        let log = try options.log.map { try files.open($0, option: "--log", signals) }
        var writers: [EventWriter] = []
        if let events, let path = options.events {
            // A file has those of one session; not before both are known to be nothing else. A pipe can't be emptied.
            if path != "-" { ftruncate(events, 0) }
            let encoder = EventEncoder(start: start)
            writers.append(EventWriter("--events \(path)", descriptor: events, stop: stop, encoder: encoder))
        }
        if let log, let path = options.log {
            let sentences = EventLog(start: start)
            writers.append(EventWriter("--log \(path)", descriptor: log, stop: stop, log: sentences))
        }
        return writers
    }
}
