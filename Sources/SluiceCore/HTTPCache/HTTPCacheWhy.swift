/// Why the HTTP cache stored, answered, asked or dropped: facts, which ``sentence`` puts into words.
public enum HTTPCacheWhy: Equatable, Sendable {
    /// Why the origin is asked before each use.
    public enum Reason: Equatable, Sendable {
        /// The answer says so.
        case noCache
        /// It is not fresh by itself, and has a validator.
        case stale
    }

    // Stored.
    /// For so many seconds more.
    case storedFresh(Freshness.Basis, remaining: Int)
    case storedForValidation(Reason)
    /// Of use to policies that take answers of any age.
    case storedStale(Freshness.Basis)
    // Not stored.
    case method
    /// The user asks for a part, or compares.
    case ownCondition
    case requestNoStore
    case noStore
    /// This status is not one that may be kept.
    case status(Int)
    /// `Vary: *` fits no later request.
    case varyAll
    /// It varies by cookies that the cache does not know.
    case varyCookie
    /// In bytes; the limit is the cache's capacity.
    case tooLarge(bytes: Int, limit: Int)
    /// Nothing is saved, and the body has more bytes than are held in memory.
    case notKeptInMemory(limit: Int)
    /// Its file is there already, and the rest of the body was left with the origin.
    case notFetched
    /// What went out before a break is not held, or its part can't be read again.
    case notHeld
    /// A redirect led to a host with pins, authorities or a client certificate of its own.
    case otherTrust
    /// A redirect led to another origin, which was not told who asks.
    case otherUser
    /// A request of this method may have changed it since it was asked for.
    case overtaken(String)
    /// What is stored came later: this one was asked for on another way, and took longer.
    case newerStored
    /// The request asked not to keep it.
    case forbidden
    /// With what the system said.
    case cannotWrite(String)
    // Answered from disk.
    /// For so many seconds more.
    case fresh(Freshness.Basis, remaining: Int)
    /// The policy takes it, stale for so many seconds.
    case anyAge(Int)
    /// Its image is in memory, which is used without a question.
    case besideMemory
    /// The policy takes it, though its origin is to be asked before each use.
    case unasked
    /// The origin is asked behind it; stale for so many seconds.
    case refreshed(Int)
    /// The request takes it, stale for so many seconds.
    case requestMaxStale(Int)
    /// The answer allows it, stale for so many seconds; the origin is asked behind it, unless that is forbidden.
    case staleWhileRevalidate(Int, isAsked: Bool)
    /// The origin failed; stale for so many seconds.
    case staleIfError(Int)
    /// The origin answered 304.
    case validated
    // Asked.
    case nothingStored
    /// Responses are stored, but for other credentials, another `Host` or another trust.
    case otherOwner
    /// Responses are stored, but for other values of the fields that they vary by.
    case otherVariant
    case reload
    case revalidatePolicy
    case requestNoCache
    case noCache
    /// The limit in seconds.
    case requestMaxAge(Int)
    /// The wish in seconds.
    case requestMinFresh(Int)
    /// Stale for so many seconds.
    case mustRevalidate(Int)
    /// It stays stored: this may pass.
    case unreadable
    /// For so many seconds.
    case stale(Freshness.Basis, Int)
    // Gone.
    case leastRecent
    /// Not for a week.
    case unused
    /// Size or time of its file are not those that were stored.
    case changed
    /// Its file is missing, or can't be read to its end.
    case bodyGone
    /// It was stored as an image, and can't be decoded.
    case noImage
    /// The origin named another version when it was asked for the head alone.
    case outdated
    /// The origin said that it still holds, and that it must not be stored.
    case noStoreNow
    /// By a request of this method.
    case invalidated(String)
    /// What a log of events says, in words already.
    case recorded(String)

    /// The decision in words; starts in lower case and has no full stop.
    public var sentence: String {
        switch self {
        case .storedFresh(let basis, let remaining): "stored, and fresh for \(Self.time(remaining)) \(Self.by(basis))"
        case .storedForValidation(.noCache): "stored, but asked about before each use, because its no-cache says so"
        case .storedForValidation(.stale): "stored, to ask the origin whether it still holds: it is not fresh by itself"
        case .storedStale(let basis): "stored, though it is stale \(Self.by(basis)), and has no validator"
        case .method: "not stored, because only answers to GET are"
        case .ownCondition: "not stored, because the request has a Range or a condition of its own"
        case .requestNoStore: "not stored, because the request says no-store"
        case .noStore: "not stored, because the answer says no-store"
        case .status(let status): "not stored, because answers with status \(status) are not"
        case .varyAll: "not stored, because Vary: * fits no later request"
        case .varyCookie: "not stored, because it varies by cookies that were set meanwhile"
        case .tooLarge(let bytes, let limit):
            "not stored, because its \(bytes) bytes are more than the cache's \(limit)"
        case .notKeptInMemory(let limit):
            "not stored, because a body of more than \(limit) bytes is stored only if it is saved"
        case .notFetched: "not stored, because its file is there already, and the rest was not fetched"
        case .notHeld: "not stored, because not all of its body can be read again"
        case .otherUser: "not stored, because a redirect led to another origin, which was not told who asks"
        case .otherTrust: "not stored, because a redirect led to a host that is trusted in another way"
        case .overtaken(let method): "not stored, because a \(method) request may have changed it meanwhile"
        case .newerStored: "not stored, because a newer answer is stored already"
        case .forbidden: "not stored, because the request asked for that"
        case .cannotWrite(let cause): "not stored, because the cache can't be written: \(cause)"
        case .fresh(let basis, let remaining):
            "answered from disk: fresh for \(Self.time(remaining)) more \(Self.by(basis))"
        case .anyAge(let stale): "answered from disk: the policy takes it however old, and it is \(Self.stale(stale))"
        case .besideMemory: "answered from disk: its image is in memory, which is used however old"
        case .unasked: "answered from disk: the policy takes it without the question that its no-cache demands"
        case .refreshed(let stale): "answered from disk at once, \(Self.stale(stale)); the origin is asked behind it"
        case .requestMaxStale(let stale):
            "answered from disk: \(Self.stale(stale)), which the request's max-stale accepts"
        case .staleWhileRevalidate(let stale, let isAsked):
            "answered from disk: \(Self.stale(stale)), which stale-while-revalidate allows"
                + (isAsked ? "; the origin is asked behind it" : "")
        case .staleIfError(let stale):
            "answered from disk because the origin failed: \(Self.stale(stale)), which stale-if-error allows"
        case .validated: "the origin says that what is stored still holds"
        case .nothingStored: "nothing is stored for it"
        case .otherOwner: "what is stored for it was asked with other credentials, another Host or another trust"
        case .otherVariant: "what is stored for it answers other request headers (Vary)"
        case .reload: "the policy ignores what is stored"
        case .revalidatePolicy: "the policy asks the origin always"
        case .requestNoCache: "the request says no-cache"
        case .noCache: "the stored answer says no-cache"
        case .requestMaxAge(let seconds): "the request takes nothing older than \(Self.time(seconds))"
        case .requestMinFresh(let seconds): "the request wants it fresh for \(Self.time(seconds)) more"
        case .mustRevalidate(let stale): "it is \(Self.stale(stale)), and must-revalidate forbids its use"
        case .stale(let basis, let stale): "it is \(Self.stale(stale)) \(Self.by(basis))"
        case .unreadable: "what is stored for it can't be read now"
        case .leastRecent: "evicted as the least recently used, to keep the capacity"
        case .unused: "evicted because it was not used for a week"
        case .changed: "evicted because its body was changed by somebody else"
        case .noImage: "evicted because its body is no whole image"
        case .bodyGone: "evicted because its body is gone"
        case .outdated: "evicted because the origin has another version now"
        case .noStoreNow: "evicted because the origin says no-store now"
        case .recorded(let text): text
        case .invalidated(let method): "evicted because a \(method) request may have changed it"
        }
    }

    private static func by(_ basis: Freshness.Basis) -> String {
        switch basis {
        case .maxAge: "by its max-age"
        case .expires: "by its Expires"
        case .heuristic: "by a tenth of its age since Last-Modified"
        case .none: "since nothing says for how long it holds"
        case .invalid: "since what it says of its freshness makes no sense"
        }
    }

    private static func stale(_ seconds: Int) -> String { seconds == 0 ? "still fresh" : "stale for \(time(seconds))" }

    private static func time(_ seconds: Int) -> String {
        if seconds < 120 { return "\(seconds) s" }
        if seconds < 7_200 { return "\((seconds + 30) / 60) min" }
        return seconds < 172_800 ? "\((seconds + 1_800) / 3_600) h" : "\((seconds + 43_200) / 86_400) days"
    }
}

extension HTTPCacheWhy {
    /// The same where not the policy takes an answer unasked, but the image in memory, which is no fresher.
    public var besideMemory: HTTPCacheWhy {
        switch self {
        case .anyAge, .unasked: .besideMemory
        default: self
        }
    }
}
