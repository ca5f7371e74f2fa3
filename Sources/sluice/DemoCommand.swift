internal import ArgumentParser
internal import Glibc
internal import SluiceCore
internal import SluiceOrigin
internal import SluicePipeline

/// `sluice demo`: the dashboard over a built-in origin, with a scripted feed.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "See everything with no network: a built-in server on loopback and a scripted feed.",
        discussion: """
            Files go to a temporary directory that is removed at the end; nothing of yours is touched. \
            All keys work: add, cancel, pause and steer as you like.
            """
    )

    @OptionGroup var screen: ScreenOptions

    @Option(help: ArgumentHelp("Write every event as a line of JSON.", valueName: "file"))
    var events: String?

    @Option(help: ArgumentHelp("Let programs of yours steer this demo over a socket here.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Read keys and colours from this configuration instead of the user's.",
            valueName: "file"
        )
    )
    var config: String?

    func validate() throws { try ScreenOptions.check(events: events) }

    mutating func run() throws {
        let configuration = try Configuration(path: config)
        screen.fill(configuration.defaults)
        var template = Array("/tmp/sluice-demo-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw complain("can't make a temporary directory in /tmp") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let origin: DemoOrigin
        do throws(OriginError) {
            origin = try DemoOrigin()
        } catch {
            Self.remove(folder)
            throw complain("the demo's server can't start on 127.0.0.1: \(error)")
        }
        let feed = DemoFeed(origin)
        let status: ExitStatus
        do {
            status = try play(feed, in: folder, configuration)
        } catch let end as ExitStatus {
            status = end
        } catch {
            Self.remove(folder)
            throw error
        }
        feed.end()
        Self.remove(folder)
        // Not by returning: that waits for the server's threads, which may be drawing a picture.
        withExtendedLifetime(origin) { Glibc.exit(status.rawValue) }
    }

    private func play(_ feed: DemoFeed, in folder: String, _ configuration: Configuration) throws -> ExitStatus {
        var arguments = [
            "--ephemeral", "--dir", folder, "--cache-dir", folder + "/.cache", "--cache-capacity", "24M",
            "--cache-preferred", "14M",
        ]
        if let events { arguments += ["--events", events] }
        if let socket { arguments += ["--socket", socket] }
        var run = DashboardRun(options: try SessionOptions.parse(arguments), screenOptions: screen)
        run.configuration = configuration
        run.title = "sluice demo"
        run.startsInPrompt = false
        run.keepsHistory = false
        run.isTemporary = true
        run.servesByDefault = false
        run.listeners = [feed.listener]
        run.feed = { feed.start($0) }
        return try run.run()
    }

    /// Removes a folder of the demo's, with the cache in it.
    private static func remove(_ folder: String) {
        if let stream = unsafe opendir(folder) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                if name == "." || name == ".." { continue }
                if unsafe unlink(folder + "/" + name) != 0, errno == EISDIR { remove(folder + "/" + name) }
            }
            unsafe closedir(stream)
        }
        unsafe rmdir(folder)
    }
}
