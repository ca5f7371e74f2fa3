public import SluiceCore
internal import SluiceSystem

/// What a pipeline is made with and keeps for its life; ``Settings`` change, this does not.
public struct PipelineConfiguration: Sendable {
    /// As the first event tells them; commands change them later.
    public var settings = Settings()
    /// Sluice's version, for events and `User-Agent`.
    public var version = "0"
    /// Sent in place of `Sluice/VERSION`; `nil` for that.
    public var userAgent: String?
    /// What requests carry for their hosts.
    public var hostRules = HostRules()
    /// Whether somebody looks at a screen for as long as the pipeline lives.
    ///
    /// - `decode auto` decodes every image then, saved or not.
    /// - With ``watchesMemory``, a shortage of memory is watched for from the first image on; otherwise, since most programs
    ///   without a screen are over soon, only from 64 MiB of images on.
    /// - A full disk makes the queue wait until there is room. Otherwise each task fails by itself, or all ends, as
    ///   ``endsOnFullDisk`` says.
    public var isDashboard = false
    /// Whether a full disk ends the session, since nothing else would fit either; not for a dashboard, which waits for room.
    public var endsOnFullDisk = false
    /// Whom to trust, at first.
    public var trust = TrustBook.standard
    /// Whether https may be left by a redirect.
    public var allowsDowngrade = false
    /// What of the transport decides who answers and what that is told, such as proxies, as a text without passwords.
    ///
    /// Nothing but a hash of it is kept, with each failure: a session with another text asks again. With a transport of
    /// libcurl it is the `route` of that one's configuration.
    public var route = ""
    /// When the session began: the zero of the times of its events.
    ///
    /// A reading of the clock by which the loop gives turns, Linux' `CLOCK_BOOTTIME`; `nil` for the moment at which the
    /// pipeline is made.
    public var startTime: Timestamp?
    /// Something that went wrong before the pipeline began, for its first event after the start.
    public var startWarning: String?
    /// Nanoseconds since 1970 at ``startTime``; `nil` for what ``wallClock`` says of that moment.
    ///
    /// What outlives the process, as the end of a failure, is dated by it.
    public var startWallClock: Int64?
    /// Keeps what must outlive the process; `nil` keeps nothing.
    public var state: (any StateKeeping)?
    /// Whether the queue is kept too, and news wait until it is.
    public var keepsQueue = false
    /// Whether nothing is submitted before ``ImagePipeline/remember(_:)`` is called.
    public var awaitsMemory = false
    /// Where files go by themselves, which must be the path of the pipeline's store; `nil` without saving.
    ///
    /// Destinations are compared with it, and files there are remembered for later sessions.
    public var directory: String?
    /// Between two snapshots of which nobody waits for the second, at least; zero makes one in each turn.
    public var snapshotInterval: Duration = .milliseconds(33)
    /// A body that is only kept in memory, to be decoded, may have this many bytes.
    public var memoryBodyLimit = 67_108_864
    /// A body that is kept in memory only to be stored in the HTTP cache may have this many bytes.
    public var storeBodyLimit = 33_554_432
    /// The time of day, in milliseconds since 1970: how old stored answers are.
    public var wallClock: @Sendable () -> Int64 = { RealTimeClock.millisecondsSince1970() }
    /// Whether what happened to tasks is remembered for ``PipelineQuery/task(_:)``.
    public var keepsJournal = false
    /// Whether images leave the memory cache when the system, or the process's control group, is short of memory.
    public var watchesMemory = false
    /// Asked before an image goes into the memory cache, and keeps it out by `false`.
    ///
    /// Runs on the loop's thread.
    public var admits: (@Sendable (CacheKey, DecodedImage) -> Bool)?
    /// Says whether a host that has no address now may have one soon.
    ///
    /// Runs on threads that do nothing else, and may block.
    public var mayResolveLater: @Sendable (_ host: String) -> Bool = { HostLookup.mayResolveLater($0) }
    /// A number in `0..<1` for the spread of retries.
    public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The defaults: no screen, no caches on disk, and nothing that outlives the process.
    public init() {}

    /// - Parameter now: When the pipeline is made.
    /// - Returns: The zero of its times, by both clocks.
    func start(now: Timestamp) -> SessionStart {
        let time = startTime ?? now
        if let startWallClock { return SessionStart(time: time, nanosecondsSince1970: startWallClock) }
        let age = now - time
        let then = Duration.milliseconds(wallClock()) - age
        return SessionStart(time: time, nanosecondsSince1970: then.nanoseconds)
    }
}
