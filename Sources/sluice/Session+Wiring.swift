internal import SluiceCore
internal import SluicePipeline
internal import SluiceTerminal

extension Session {
    /// What a session is made with beside its options.
    struct Wiring {
        var isDashboard = false
        var listeners: [EventListener] = []
        /// What ends the wait for who reads a pipe, when it is opened; `nil` if signals end the program anyway.
        var signals: SignalWatch?
        var snapshotInterval: Duration = .milliseconds(33)
        var publishSnapshot: (@Sendable (PipelineSnapshot) -> Void)?
        /// Ends the wait for readers that take nothing more of what is written.
        var stop = OutputStop()
        /// Gets what earlier sessions saved and is still there, the oldest first; `nil` if nobody wants to know.
        var publishEarlier: (@Sendable ([KnownFile]) -> Void)?
        /// Gets what arrived of the image that is looked at.
        var publishSketch: (@Sendable (TaskID, Bitmap) -> Void)?
        /// What requests carry for their hosts.
        var hostRules = HostRules()
        /// Whom to trust; its files are read before signals are watched, since a pipe may never end.
        var trust = TrustBook.standard
        /// The proxy of the configuration file.
        var usualProxy: String?
        /// Whether any proxy is used, the environment's too.
        var usesProxies = true
        /// Who vouches for proxies, read as early; `nil` means the system's.
        var proxyAuthorities: CertificateFile?
        /// Takes the one body instead of a directory.
        var outputDescriptor: Int32?
        /// Whether somebody may ask what happened to a task.
        var keepsJournal = false
    }
}
