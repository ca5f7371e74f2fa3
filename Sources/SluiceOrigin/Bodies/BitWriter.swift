/// Packs bits into bytes as deflate does (RFC 1951, §3.1.1).
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// Bits used in the last byte; 0 means all.
    private(set) var usedBits = 0

    /// Numbers go lowest bit first.
    mutating func append(_ value: Int, bits: Int) {
        for bit in 0..<bits { append(bit: value >> bit & 1) }
    }

    /// Huffman codes go highest bit first.
    mutating func append(code: Int, bits: Int) {
        for bit in (0..<bits).reversed() { append(bit: code >> bit & 1) }
    }

    private mutating func append(bit: Int) {
        if usedBits == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8(bit << usedBits)
        usedBits = (usedBits + 1) % 8
    }
}
