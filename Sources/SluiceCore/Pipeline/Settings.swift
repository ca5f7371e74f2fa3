/// Everything that can be changed while the pipeline runs, under the names used everywhere.
///
/// Who sets them by property can ask ``check()`` whether all are allowed and fit together.
///
/// Sizes are bytes, times durations; 0 means no limit for rates, sizes and times, except for ``cachePreferred``,
/// ``failedFor`` and the delays, where it means none, and for ``connectTimeout``, where it means the default.
public struct Settings: Equatable, Sendable {
    /// Where a new task stands among the queued ones of its priority.
    public enum Order: String, CaseIterable, Sendable {
        /// Behind the others.
        case fifo
        /// Before the others.
        case lifo
    }
    /// What becomes of an active task whose last receipt is cancelled.
    public enum LastReceipt: String, CaseIterable, Sendable {
        /// It runs on, detached, and fills the caches.
        case finish
        /// It is ended, and its part stays.
        case abort
    }
    /// When a body that is an image is decoded.
    public enum Decode: String, CaseIterable, Sendable {
        /// In the dashboard, without saving, and where only images are accepted.
        case auto
        /// Every body that is an image in a format that Sluice decodes.
        case always
        /// Only the header of an image is looked at.
        case never
    }
    /// Which bodies are taken.
    public enum AcceptOnly: String, CaseIterable, Sendable {
        /// Whatever comes.
        case all
        /// Only bodies whose first bytes are those of an image.
        case image
    }

    /// How many slots there may be.
    public static let slotRange = 1...64

    /// Slots, in ``slotRange``.
    public var maxActive = 4
    /// Active tasks of one host; 0 means no limit.
    public var maxPerHost = 0
    /// Affects later insertions; tasks that are queued already stay where they are.
    public var order = Order.fifo
    /// Whether nothing new starts.
    public var suspended = false
    /// Read when a receipt is cancelled.
    public var lastReceipt = LastReceipt.finish
    /// For requests that name none.
    public var policy = CachePolicy.protocol
    /// Of the memory cache, in bytes.
    ///
    /// Takes ``cachePreferred`` along as long as that is what it is by default.
    public var cacheCapacity = 104_857_600 {
        didSet {
            guard cachePreferred == Self.usualPreferred(of: oldValue) else { return }
            cachePreferred = Self.usualPreferred(of: cacheCapacity)
        }
    }
    /// What a purge leaves at most, in bytes.
    ///
    /// At most ``cacheCapacity``; 60 MiB by default, or 60 % of that where it is less.
    public var cachePreferred = 62_914_560
    /// Whether an image in memory answers only while its stored answer is fresh.
    public var memoryFreshOnly = false
    /// Of the HTTP cache, bytes of all bodies; 0 means no limit.
    public var httpCapacity = 157_286_400
    /// Bytes of the bodies of the HTTP cache that are held in memory too.
    public var httpMemory = 20_971_520
    /// Read when a transfer starts.
    public var decode = Decode.auto
    /// Width × height above which an image is refused.
    public var maxPixels = 100_000_000
    /// Bytes a second for all transfers together.
    public var limitRate = 0
    /// The longest time without a byte.
    public var timeout: Duration = .seconds(60)
    /// The longest time to connect, TLS included; 0 means this default, and not that there is no limit.
    public var connectTimeout = TransportLimits.usualConnectTimeout
    /// Attempts after the first. `0...100`
    public var retries = 2
    /// The longest `Retry-After` that is waited for.
    public var maxRetryAfter: Duration = .seconds(300)
    /// How long permanent failures are remembered.
    public var failedFor: Duration = .seconds(600)
    /// Bytes of one body.
    public var maxFileSize = 0
    /// Whether activity shows at all; see ``ActivityIndicator``.
    public var indicatorEnabled = true
    /// How long activity must last to show.
    public var activationDelay: Duration = .seconds(1)
    /// How long a gap must last to hide the indicator.
    public var completionDelay: Duration = .milliseconds(170)
    /// Read when a transfer starts; what is no image fails then.
    public var acceptOnly = AcceptOnly.all
    /// Names of query items that are left out of merge and cache keys; `*` alone means all.
    public var keyFilter: [String] = []
    /// For files that are not known to be this URL's; a known one is replaced.
    public var onExists = OnExists.rename

    /// The defaults.
    public init() {}

    /// The capacity for changes by name, which leave ``cachePreferred`` as it is and are refused where that does not fit.
    var capacityAlone: Int {
        get { cacheCapacity }
        set {
            let preferred = cachePreferred
            cacheCapacity = newValue
            cachePreferred = preferred
        }
    }

    /// What a purge leaves at most of a memory cache for which nobody has named it.
    ///
    /// 60 % of a capacity below the usual one, whole bytes; 60 MiB of a larger one, and where 0 stands for no limit.
    package static func usualPreferred(of capacity: Int) -> Int {
        guard capacity > 0 else { return 62_914_560 }
        // In two parts: six times the largest capacity has no room in a number.
        return min(62_914_560, capacity / 10 * 6 + capacity % 10 * 6 / 10)
    }
}
