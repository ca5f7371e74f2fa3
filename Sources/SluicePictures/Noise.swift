/// Smooth random values over the plane; the same for the same seed everywhere.
struct Noise {
    private let seed: UInt32

    init(seed: UInt32) { self.seed = seed &* 0x9E37_79B9 }

    /// Changes by about 1 over a distance of 1. `0...1`
    func value(_ x: Float, _ y: Float) -> Float {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int32(left), Int32(top))
        let (u, v) = (Self.smooth(x - left), Self.smooth(y - top))
        let upper = mix(lattice(column, row), lattice(column &+ 1, row), u)
        let lower = mix(lattice(column, row &+ 1), lattice(column &+ 1, row &+ 1), u)
        return mix(upper, lower, v)
    }

    /// Layers of noise, each half as large and half as strong as the one before. `0...1`
    func fractal(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var (sum, strength, total, scale) = (Float(0), Float(0.5), Float(0), Float(1))
        for octave in 0..<octaves {
            let shift = Float(octave) * 17.3
            sum += strength * value(x * scale + shift, y * scale - shift)
            total += strength
            strength /= 2
            scale *= 2
        }
        return sum / total
    }

    private func lattice(_ column: Int32, _ row: Int32) -> Float {
        var hash = UInt32(bitPattern: column) &* 374_761_393 &+ UInt32(bitPattern: row) &* 668_265_263 &+ seed
        hash = (hash ^ (hash >> 13)) &* 1_274_126_177
        hash ^= hash >> 16
        return Float(hash & 0xFFFF) / 65_535
    }

    private static func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}
