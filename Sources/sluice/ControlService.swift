internal import Glibc
internal import SluiceControl
internal import SluiceCore
internal import SluiceCurl
internal import SluicePipeline

/// The control socket of one session, from before its start until after its end.
///
/// Wires the server to the pipeline; everybody who runs a session uses it in the same way.
struct ControlService: Sendable {
    private let server: ControlServer

    /// Listens on a path that the user named.
    ///
    /// - Throws: ``ExitStatus`` after a message.
    init(path: String) throws {
        do throws(ControlSocketError) {
            server = try ControlServer(path: path)
        } catch {
            throw complain("--socket: \(error.message)")
        }
    }

    /// Listens where programs look for it.
    ///
    /// - Throws: If there is no place for it, which need not keep anybody from downloading.
    init() throws(ControlSocketError) {
        guard let folder = ControlFolder() else {
            throw ControlSocketError("neither XDG_RUNTIME_DIR nor a home directory says where the socket goes")
        }
        server = try ControlServer(path: try folder.socket(of: getpid()))
    }

    /// Hears every event.
    var listener: EventListener { EventListener { [server] in server.hear($0) } }

    /// Begins to answer.
    ///
    /// - Parameters:
    ///   - session: What is steered.
    ///   - quit: Called on another thread when a program asks for the end.
    func serve(_ session: Session, quit: @escaping @Sendable () -> Void) {
        let pipeline = session.pipeline
        server.start(
            asking: { pipeline.ask($0, reply: $1) },
            context: ControlContext(
                saves: session.directory != nil,
                readFile: { path throws(TrustError) in try TrustFile.regular(path) },
                checkTrust: { policy throws(TrustError) in try TrustBook(entries: [], fallback: policy).check() }
            ),
            events: session.eventEncoder,
            quit: quit
        )
    }

    /// Ends it; the session must have ended.
    ///
    /// - Parameter stop: What other readers were waited for with: all of them together keep the program for a second.
    func close(after stop: OutputStop? = nil) { server.close(by: stop?.deadline.map { $0 + .milliseconds(400) }) }
}
