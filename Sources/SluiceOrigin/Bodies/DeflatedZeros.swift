/// A deflate stream of many zero bytes: two bits for each 258 of them.
///
/// Most of the stream is zero bits, so it is kept as a prefix, a number of zero
/// bytes, and a suffix, whatever its length.
struct DeflatedZeros {
    let prefix: [UInt8]
    let zeroBytes: Int
    let suffix: [UInt8]

    var count: Int { prefix.count + zeroBytes + suffix.count }

    init(count: Int) {
        var front = BitWriter()
        Self.appendHeader(to: &front)
        let matches = max(0, count - 1) / 258
        if count > 0 { front.append(code: 0b10, bits: 2) }
        // A match is the length code 0 and the distance code 0.
        let filling = min(matches * 2, (8 - front.usedBits) % 8)
        front.append(0, bits: filling)
        let rest = matches * 2 - filling

        // A writer that fills a byte up can be followed by whole bytes; else the suffix goes on in it.
        var back = front.usedBits == 0 ? BitWriter() : front
        back.append(0, bits: rest % 8)
        for _ in 0..<max(0, count - 1) % 258 { back.append(code: 0b10, bits: 2) }
        back.append(code: 0b11, bits: 2)
        prefix = front.usedBits == 0 ? front.bytes : []
        zeroBytes = rest / 8
        suffix = back.bytes
    }

    /// One final block whose codes are: match of 258 `0`, literal zero `10`, end `11`; distance 1 `0`.
    private static func appendHeader(to writer: inout BitWriter) {
        writer.append(1, bits: 1)
        writer.append(2, bits: 2)
        writer.append(285 + 1 - 257, bits: 5)
        writer.append(0, bits: 5)
        // Lengths of the codes for lengths, in the order of RFC 1951, §3.2.7: 18 has one bit, 2 and 1 have two.
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]
        writer.append(order.count - 4, bits: 4)
        for symbol in order { writer.append([18: 1, 1: 2, 2: 2][symbol] ?? 0, bits: 3) }
        let (one, two) = (0b10, 0b11)
        writer.append(code: two, bits: 2)
        for run in [138, 117] { Self.appendRun(of: run, to: &writer) }
        writer.append(code: two, bits: 2)
        Self.appendRun(of: 28, to: &writer)
        writer.append(code: one, bits: 2)
        writer.append(code: one, bits: 2)
    }

    /// A run of codes that are not used. `11...138`
    private static func appendRun(of count: Int, to writer: inout BitWriter) {
        writer.append(code: 0, bits: 1)
        writer.append(count - 11, bits: 7)
    }
}
