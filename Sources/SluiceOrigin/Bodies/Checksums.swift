/// The checksum of gzip (ISO 3309), also of long runs of zeros without making them.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }

    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { state ^ 0xFFFF_FFFF }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
    }

    /// Adds `count` zero bytes in O(log `count`).
    ///
    /// A zero byte changes the state linearly, so a matrix over single bits, squared
    /// again and again, does 1, 2, 4, 8 … bytes at once.
    mutating func updateZeros(_ count: Int) {
        var matrix = (0..<32).map { bit in
            let state = UInt32(1) << UInt32(bit)
            return Self.table[Int(state & 0xFF)] ^ (state >> 8)
        }
        var remaining = count
        while remaining > 0 {
            if remaining & 1 == 1 { state = Self.product(matrix, state) }
            matrix = matrix.map { Self.product(matrix, $0) }
            remaining >>= 1
        }
    }

    private static func product(_ matrix: [UInt32], _ vector: UInt32) -> UInt32 {
        var sum: UInt32 = 0
        for bit in 0..<32 where vector >> UInt32(bit) & 1 == 1 { sum ^= matrix[bit] }
        return sum
    }
}

/// The checksum of zlib (RFC 1950).
struct Adler32 {
    private static let modulus = 65_521
    private var low = 1
    private var high = 0

    var value: UInt32 { UInt32(high << 16 | low) }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            low = (low + Int(byte)) % Self.modulus
            high = (high + low) % Self.modulus
        }
    }

    mutating func updateZeros(_ count: Int) { high = (high + count % Self.modulus * low) % Self.modulus }
}
