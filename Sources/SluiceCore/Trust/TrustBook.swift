/// Which policy holds for which host.
///
/// A value that never changes: what a request is judged by is what held when it was
/// asked for, wherever redirects lead it. Shared, since hundreds of thousands may wait.
public final class TrustBook: Sendable {
    /// The policy of some hosts.
    public struct Entry: Hashable, Sendable {
        /// Whose it is.
        public var pattern: HostPattern
        /// Whom they are trusted by; it takes the place of the fallback.
        public var policy: TrustPolicy
        /// Binds a policy to the hosts of a pattern.
        public init(_ pattern: HostPattern, _ policy: TrustPolicy) { (self.pattern, self.policy) = (pattern, policy) }
    }

    /// The system's authorities for every host.
    public static let standard = TrustBook(entries: [])

    /// Later ones win among equally precise ones.
    public let entries: [Entry]
    /// For hosts that no entry names.
    public let fallback: TrustPolicy
    /// Whether every host has the standard policy; asked for every transfer.
    public let isStandard: Bool
    /// Of each entry, and last of the fallback; empty for the standard policy.
    private let marks: [String]
    /// Of all lenient policies together.
    private let lenience: String

    /// - Parameters:
    ///   - entries: For some hosts.
    ///   - fallback: For all others.
    public init(entries: [Entry], fallback: TrustPolicy = .standard) {
        (self.entries, self.fallback) = (entries, fallback)
        isStandard = entries.isEmpty && fallback == .standard
        marks = (entries.map(\.policy) + [fallback]).map { $0 == .standard ? "" : Self.hash(Self.text($0)) }
        let lenient = (entries + [Entry(.all, fallback)]).filter(\.policy.isLenient)
        lenience = lenient.isEmpty ? "" : Self.hash(lenient.map { $0.pattern.text + Self.text($0.policy) }.joined())
    }

    /// The patterns whose hosts may have invalid certificates; for the warning that stands as long as it is so.
    public var lenientPatterns: [String] {
        (fallback.isLenient ? ["*"] : []) + entries.filter(\.policy.isLenient).map(\.pattern.text)
    }

    /// Says what is not checked, and for which hosts; `nil` if all are judged in full.
    public var warning: String? {
        var sentences: [(start: String, end: String, hosts: [String])] = []
        for entry in [Entry(.all, fallback)] + entries {
            guard let (start, end) = entry.policy.leniency else { continue }
            if let place = sentences.firstIndex(where: { $0.start == start && $0.end == end }) {
                sentences[place].hosts.append(entry.pattern.text)
            } else {
                sentences.append((start, end, [entry.pattern.text]))
            }
        }
        if sentences.isEmpty { return nil }
        let all = HostPattern.all.text
        return sentences.map { start, end, hosts in
            "\(start) \(hosts.contains(all) ? "any host" : hosts.joined(separator: ", "))\(end)"
        }.joined(separator: "; ")
    }

    /// The policy of the most precise pattern that matches: more of the name comes first, then a port.
    ///
    /// - Parameters:
    ///   - host: Lower-cased and in punycode, an IPv6 address without brackets.
    ///   - port: Of the connection.
    /// - Returns: The fallback for hosts that no entry names.
    public func policy(host: String, port: Int) -> TrustPolicy {
        place(host: host, port: port).map { entries[$0].policy } ?? fallback
    }

    /// What of the trust can change an answer of a host: part of the key under which answers are merged and kept.
    ///
    /// Empty for a host with the standard policy, as long as no host has a lenient one: a
    /// redirect may lead there.
    public func mark(host: String, port: Int) -> String {
        if isStandard { return "" }
        let mark = marks[place(host: host, port: port) ?? entries.count]
        return lenience.isEmpty ? mark : mark + lenience
    }

    /// The same for a URL.
    public func mark(of url: RequestURL) -> String {
        // Where all hosts have one policy, it does not matter which one this is.
        entries.isEmpty ? mark(host: "", port: 0) : mark(host: url.host, port: url.port)
    }

    /// The same for the text of a URL.
    public func mark(of url: String) -> String {
        guard !isStandard, let url = try? RequestURL(url) else { return "" }
        return mark(of: url)
    }

    /// What of the trust holds for the host of a URL itself, wherever it redirects to; empty for the standard policy.
    public func ownMark(of url: RequestURL) -> String {
        isStandard ? "" : marks[place(host: url.host, port: url.port) ?? entries.count]
    }

    /// The whole book in a short text that is the same in every process; empty for the standard policy.
    ///
    /// Where a redirect leads is not known before, so that any policy may have decided what became of a request.
    public var wholeMark: String {
        if isStandard { return "" }
        let patterns = entries.map(\.pattern.text) + [HostPattern.all.text]
        return Self.hash(zip(patterns, marks).map { $0 + " " + $1 }.joined(separator: "\n"))
    }

    private func place(host: String, port: Int) -> Int? {
        var best: Int?
        for (place, entry) in entries.enumerated() where entry.pattern.matches(host: host, port: port) {
            if let best, entries[best].pattern.isMorePrecise(than: entry.pattern) { continue }
            best = place
        }
        return best
    }

    /// FNV-1a, 64 bits: the same in every process, since answers on disk are kept apart by it.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16) + "."
    }

    /// All of a policy that counts, in one text.
    private static func text(_ policy: TrustPolicy) -> String {
        var text =
            "\u{1}\(policy.pinning.rawValue)\(policy.allowInvalid ? "+" : "-")\(policy.validatesDomain ? "+" : "-")"
        for pin in policy.pins {
            switch pin {
            case .key(let hash): text += "k" + Base64.encode(hash)
            case .certificate(let certificate): text += "c" + Base64.encode(certificate.bytes)
            }
        }
        for certificate in policy.authorities?.certificates ?? [] { text += "a" + Base64.encode(certificate.bytes) }
        for certificate in policy.client?.chain.certificates ?? [] { text += "u" + Base64.encode(certificate.bytes) }
        return text
    }
}

extension TrustBook: Equatable {
    public static func == (one: TrustBook, other: TrustBook) -> Bool {
        one === other || one.entries == other.entries && one.fallback == other.fallback
    }
}
