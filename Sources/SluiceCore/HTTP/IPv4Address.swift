/// Knows the other ways in which an address of IP version 4 can be written.
///
/// - SeeAlso: WHATWG URL §3.5; `inet_aton(3)`; curl's `ipv4_normalize()`, which decides where a request goes.
enum IPv4Address {
    /// An address with four decimal numbers, where a host is one in another writing: fewer numbers, octal or hexadecimal.
    ///
    /// - Parameter host: Lower-cased.
    /// - Returns: `nil` for what is a name.
    static func canonical(_ host: some Collection<UInt8>) -> String? {
        let parts = host.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        var address = 0
        for (index, part) in parts.enumerated() {
            guard let number = number(part) else { return nil }
            let isLast = index == parts.count - 1
            // The last number stands for all bytes that are left.
            guard number < 1 << (isLast ? 8 * (4 - index) : 8) else { return nil }
            address |= isLast ? number : number << (8 * (3 - index))
        }
        return (0..<4).map { String(address >> (8 * (3 - $0)) & 255) }.joined(separator: ".")
    }

    /// As C reads a number: `0x` before sixteen digits, `0` before eight.
    private static func number(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        let string = String(decoding: text, as: UTF8.self)
        let (digits, radix) =
            string.hasPrefix("0x")
            ? (string.dropFirst(2), 16)
            : string.count > 1 && string.hasPrefix("0")
                ? (string.dropFirst(), 8) : (string[...], 10)
        guard !digits.hasPrefix("+"), !digits.hasPrefix("-") else { return nil }
        return Int(digits, radix: radix)
    }
}
