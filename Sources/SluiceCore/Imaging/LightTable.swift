internal import Glibc

/// The curve of sRGB, both ways, in tables: 8 bits of light as screens want it, 16 bits as it adds up.
enum LightTable {
    /// Linear light of each 8-bit value.
    static let linear: [UInt32] = (0...255).map { value in
        let level = Double(value) / 255
        let light = level <= 0.040_45 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
        return UInt32((light * 65_535).rounded())
    }

    /// The 8-bit value that is nearest in light, for each of 16 bits.
    static let encoded: [UInt8] = {
        var table = [UInt8](repeating: 255, count: 65_536)
        var start = 0
        for value in 0..<255 {
            let end = Int((linear[value] + linear[value + 1]) / 2)
            for light in start...max(start, end) { table[light] = UInt8(value) }
            start = end + 1
        }
        return table
    }()
}
