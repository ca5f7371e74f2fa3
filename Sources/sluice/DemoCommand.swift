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

    func validate() throws { try ScreenOptions.check(events: events) }

    func run() throws {
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
            status = try play(feed, in: folder)
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

    private func play(_ feed: DemoFeed, in folder: String) throws -> ExitStatus {
        var arguments = ["--dir", folder, "--cache-capacity", "24M", "--cache-preferred", "14M"]
        if let events { arguments += ["--events", events] }
        var run = DashboardRun(options: try SessionOptions.parse(arguments), screenOptions: screen)
        run.title = "sluice demo"
        run.startsInPrompt = false
        run.keepsHistory = false
        run.listeners = [feed.listener]
        run.feed = { feed.start($0) }
        return try run.run()
    }

    /// The demo makes no folders in its directory.
    private static func remove(_ folder: String) {
        if let stream = unsafe opendir(folder) {
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                if name != ".", name != ".." { unsafe unlink(folder + "/" + name) }
            }
            unsafe closedir(stream)
        }
        unsafe rmdir(folder)
    }
}
