/// Puts a ``TrustBook`` together from what a configuration and a command line say.
///
/// Pure: files are read by whoever calls. What the command line says is laid over what
/// the configuration says, in the order of the calls.
public struct TrustBookBuilder: Sendable {
    private var entries: [TrustBook.Entry] = []
    private var fallback = TrustPolicy.standard

    /// Begins with the standard policy for every host.
    public init() {}

    /// Goes on from a book.
    public init(_ book: TrustBook) { (entries, fallback) = (book.entries, book.fallback) }

    /// The book as it is so far; later calls don't change it.
    public var book: TrustBook { TrustBook(entries: entries, fallback: fallback) }

    /// Sets the whole policy of a pattern.
    public mutating func set(_ pattern: HostPattern, _ policy: TrustPolicy) { change(pattern) { $0 = policy } }

    /// Forgets the policy of a pattern; that of `*` becomes the standard one.
    public mutating func remove(_ pattern: HostPattern) {
        if pattern == .all { fallback = .standard } else { entries.removeAll { $0.pattern == pattern } }
    }

    /// Adds pins for the hosts of a pattern; their keys are compared, unless certificates were asked for before.
    ///
    /// - Throws: For the hash of a key where certificates are compared.
    public mutating func pin(_ pattern: HostPattern, _ pins: [TrustPin]) throws(TrustError) {
        var policy = policy(of: pattern)
        if policy.pinning == .none { policy.pinning = .publicKey }
        policy.pins += pins
        try Self.check(policy)
        set(pattern, policy)
    }

    /// Lets hosts in by these pins alone, whatever was pinned for them before.
    ///
    /// What was said of some hosts of a pattern, as of one port, gets the pins of the most precise pattern over it: by
    /// pins of its own, or by none, it would let in whom these are to keep out.
    ///
    /// - Parameter wishes: Pins of one pattern add up.
    /// - Throws: For the hash of a key where certificates are compared; the message begins with the hosts.
    public mutating func pinOnly(_ wishes: [(pattern: HostPattern, pins: [TrustPin])]) throws(TrustError) {
        for wish in wishes {
            // What was said of all ports of some of the hosts would hide pins of one port.
            for narrow in entries.compactMap({ $0.pattern.narrowed(to: wish.pattern) }) { change(narrow) { _ in } }
            change(wish.pattern) { $0.pins = [] }
        }
        if let pins = Self.pins(for: .all, of: wishes) { try Self.pin(&fallback, pins, hosts: .all) }
        for index in entries.indices {
            let pattern = entries[index].pattern
            guard let pins = Self.pins(for: pattern, of: wishes) else { continue }
            try Self.pin(&entries[index].policy, pins, hosts: pattern)
        }
    }

    /// Accepts any certificate from the hosts of a pattern; their pins still hold.
    public mutating func trustAnything(_ pattern: HostPattern) {
        // What was said of one port of more hosts would be hidden by a narrower pattern without it.
        for narrow in entries.compactMap({ pattern.narrowed(to: $0.pattern) }) { change(narrow) { _ in } }
        change(pattern) { Self.loosen(&$0) }
        for index in entries.indices where pattern.covers(entries[index].pattern) {
            Self.loosen(&entries[index].policy)
        }
    }

    /// Replaces all authorities, those too that were named for single hosts: whom the command line names counts.
    public mutating func setAuthorities(_ file: CertificateFile) { changeAll { $0.authorities = file } }

    /// Sets who the user is, to every host.
    public mutating func setClient(_ client: ClientIdentity) { changeAll { $0.client = client } }

    /// What is invalid about a policy.
    ///
    /// - Throws: For hashes of keys where whole certificates are compared, and for pinning without pins.
    public static func check(_ policy: TrustPolicy) throws(TrustError) {
        guard policy.pinning != .none else { return }
        if policy.pins.isEmpty {
            throw TrustError("pinning = \"\(policy.pinning.rawValue)\" without pins would refuse every host; name some")
        }
        for case .key(let hash) in policy.pins where policy.pinning == .certificate {
            throw TrustError(
                "\(TrustPin.text(sha256: hash)) is the hash of a key, but pinning = \"certificate\" compares"
                    + " certificates; name a PEM or DER file, or pin publicKey"
            )
        }
    }

    private static func loosen(_ policy: inout TrustPolicy) {
        (policy.allowInvalid, policy.validatesDomain) = (true, false)
    }

    private static func pin(
        _ policy: inout TrustPolicy,
        _ pins: [TrustPin],
        hosts: HostPattern
    ) throws(TrustError) {
        policy.pins = pins
        if policy.pinning == .none { policy.pinning = .publicKey }
        do throws(TrustError) {
            try check(policy)
        } catch {
            throw TrustError("\(hosts.text): \(error.message)")
        }
    }

    /// All pins of the most precise wish for the hosts of a pattern; `nil` if there is none for all of them.
    private static func pins(
        for pattern: HostPattern,
        of wishes: [(pattern: HostPattern, pins: [TrustPin])]
    ) -> [TrustPin]? {
        var nearest: HostPattern?
        for wish in wishes where wish.pattern.covers(pattern) {
            if let nearest, nearest.isMorePrecise(than: wish.pattern) { continue }
            nearest = wish.pattern
        }
        guard let nearest else { return nil }
        return wishes.filter { $0.pattern == nearest }.flatMap { $0.pins }
    }

    /// What holds for a pattern so far: what was said of itself, or else of the most precise one over it.
    private func policy(of pattern: HostPattern) -> TrustPolicy {
        if pattern == .all { return fallback }
        var nearest: TrustBook.Entry?
        for entry in entries where entry.pattern.covers(pattern) {
            if let nearest, nearest.pattern.isMorePrecise(than: entry.pattern) { continue }
            nearest = entry
        }
        return nearest?.policy ?? fallback
    }

    private mutating func change(_ pattern: HostPattern, _ body: (inout TrustPolicy) -> Void) {
        var policy = policy(of: pattern)
        body(&policy)
        if pattern == .all {
            fallback = policy
        } else if let index = entries.lastIndex(where: { $0.pattern == pattern }) {
            entries[index].policy = policy
        } else {
            entries.append(TrustBook.Entry(pattern, policy))
        }
    }

    private mutating func changeAll(_ body: (inout TrustPolicy) -> Void) {
        body(&fallback)
        for index in entries.indices { body(&entries[index].policy) }
    }
}
