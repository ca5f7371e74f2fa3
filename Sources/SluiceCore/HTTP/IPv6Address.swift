internal import Glibc

/// Tells addresses of IP version 6 from other text.
///
/// - SeeAlso: RFC 4291 §2.2
enum IPv6Address {
    /// Whether the bytes are an address, without brackets and zone.
    static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let gaps = text.utf8.indices.filter { text.utf8[$0...].starts(with: "::".utf8) }
        if gaps.isEmpty { return groups(in: text[...]) == 8 }
        // `:::` would make two gaps.
        guard gaps.count == 1, let gap = gaps.first else { return false }
        let after = text.utf8.index(gap, offsetBy: 2)
        guard let head = groups(in: text[..<gap], mayEndInIPv4: false), let tail = groups(in: text[after...]) else {
            return false
        }
        return head + tail <= 7
    }

    /// Writes an address in the shortest way.
    ///
    /// - Parameter bytes: Of which ``isValid(_:)`` holds.
    /// - Returns: Lower-cased, without brackets.
    /// - SeeAlso: RFC 5952; curl's URL parser, which decides where a request goes.
    static func canonical(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        var address = in6_addr()
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_pton(AF_INET6, text, &address) == 1,
            unsafe inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil
        else { return text.lowercased() }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address as a number.
    ///
    /// - Parameter text: Without brackets and zone.
    /// - Returns: `nil` for what is no address.
    static func number(_ text: Substring) -> UInt128? {
        var address = in6_addr()
        guard text.utf8.contains(UInt8(ascii: ":")), unsafe inet_pton(AF_INET6, String(text), &address) == 1 else {
            return nil
        }
        return unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        }
    }

    /// The number of 16-bit groups, or `nil` if some are none.
    private static func groups(in text: Substring, mayEndInIPv4: Bool = true) -> Int? {
        guard !text.isEmpty else { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, mayEndInIPv4, part.contains(".") {
                guard isIPv4(part) else { return nil }
                count += 2
            } else {
                guard 1...4 ~= part.utf8.count, UInt16(part, radix: 16) != nil, part.first != "+" else { return nil }
                count += 1
            }
        }
        return count
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { 1...3 ~= $0.utf8.count && UInt8($0) != nil && $0.first != "+" }
    }
}
