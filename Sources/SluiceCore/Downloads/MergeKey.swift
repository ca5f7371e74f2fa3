/// What makes two requests the same download: the URL, and all else that changes the answer.
///
/// Equal keys are one task. Two users' credentials never share a body, since credentials
/// are part of the key.
public struct MergeKey: Hashable, Sendable {
    /// Normalised; see ``RequestURL``.
    public let url: String
    /// Headers of the user, credentials and trust in one canonical text; empty for most requests.
    private let rest: String
    /// Of both, since each key is looked up many times; seeded anew in each process, so that nobody can make keys collide.
    let hash: Int

    /// A key of what is given; the pipeline makes those of requests, since only it knows all that is in them.
    ///
    /// - Parameters:
    ///   - url: Normalised, without credentials, and without what ``Settings/keyFilter`` leaves out:
    ///     ``RequestURL/url``. Another spelling is another key.
    ///   - headers: The fields that the user set, in any order. Names are the same in any case.
    ///   - credentials: What the origin is told, from the URL or an option.
    ///   - trust: The mark of the policy that the host is trusted by; see ``TrustBook/mark(host:port:)``.
    ///   - sha256: What the body must be: a wrong wish of one request must not fail another.
    ///   - distinct: A number of its own for a request that must not merge with any other.
    public init(
        url: String,
        headers: [HeaderField] = [],
        credentials: Credentials? = nil,
        trust: String = "",
        sha256: String? = nil,
        distinct: Int? = nil
    ) {
        self.url = url
        guard distinct != nil || credentials != nil || sha256 != nil || !headers.isEmpty || !trust.isEmpty else {
            rest = ""
            hash = url.hashValue
            return
        }
        // Over TLS with a policy of the user's own, all keys have this form.
        if distinct == nil, credentials == nil, sha256 == nil, headers.isEmpty {
            rest = "\0\0\0" + trust
            hash = Self.hash(url, rest)
            return
        }
        rest =
            (distinct == nil ? "" : Self.once) + Self.canonical(headers, credentials)
            + (trust.isEmpty ? "" : "\0\0\0" + trust)
            + (sha256.map { "\0\0\($0)" } ?? "")
            + (distinct.map { "\0\($0)" } ?? "")
        hash = Self.hash(url, rest)
    }

    public static func == (left: MergeKey, right: MergeKey) -> Bool {
        left.hash == right.hash && left.url == right.url && left.rest.hasSameBytes(as: right.rest)
    }

    /// Hashes what was hashed when the key was made.
    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// The key as people see it: the URL, and ` #` and eight hexadecimal digits where there is more.
    public var text: String { text(marked: UInt8(ascii: "#")) }

    /// The key as later sessions know it: with ` !` instead where no other request may have it.
    public var historyText: String { text(marked: isOnce ? UInt8(ascii: "!") : UInt8(ascii: "#")) }

    private func text(marked mark: UInt8) -> String {
        if rest.isEmpty { return url }
        // In one piece: over TLS with a policy of the user's own, every transfer asks for it.
        let hash = Self.digest(rest)
        let bytes = url.utf8.span
        return unsafe String(unsafeUninitializedCapacity: bytes.count + 10) { buffer in
            for index in bytes.indices { unsafe buffer[index] = bytes[index] }
            unsafe buffer[bytes.count] = UInt8(ascii: " ")
            unsafe buffer[bytes.count + 1] = mark
            for place in 0..<8 {
                let digit = UInt8(truncatingIfNeeded: hash >> (28 - 4 * UInt32(place))) & 15
                let zero = digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10
                unsafe buffer[bytes.count + 2 + place] = zero + digit
            }
            return bytes.count + 10
        }
    }

    /// ``text``, to find things by.
    public var indexedText: Text { Text(text, hash: rest.isEmpty ? hash : nil) }

    private static func canonical(_ headers: [HeaderField], _ credentials: Credentials?) -> String {
        // Fields of one name keep their order, which means something.
        let fields = headers.enumerated().map { (name: $1.name.lowercased(), place: $0, value: $1.value) }
            .sorted { ($0.name, $0.place) < ($1.name, $1.place) }
        var text = ""
        for field in fields { text += "\(field.name)\0\(field.value)\0" }
        if let credentials { text += "\0\(credentials.user)\0\(credentials.password)" }
        return text
    }

    private static func hash(_ url: String, _ rest: String) -> Int {
        var hasher = Hasher()
        hasher.combine(url)
        hasher.combine(rest)
        return hasher.finalize()
    }

    /// What begins the rest of a key that no other request has: no name of a field does.
    private static let once = "\u{1}"

    /// Whether it is of a request that must not merge with any other.
    private var isOnce: Bool { rest.utf8.first == 1 }

    /// FNV-1a, 32 bits.
    private static func digest(_ text: String) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        let bytes = text.utf8.span
        for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
        return hash
    }
}
