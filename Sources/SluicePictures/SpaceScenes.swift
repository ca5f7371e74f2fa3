internal import Glibc

/// Northern lights over a dark forest.
struct AuroraScene: Scene {
    private static let sky = [rgb(0x05081C), rgb(0x0A1533), rgb(0x12264A), rgb(0x1C3A5A)]
    private static let curtains: [Color] = [[90, 255, 170], [110, 220, 255], [190, 120, 255]]

    private let frame: SceneFrame
    private let noise: Noise
    private let lines: [[Float]]
    private let rays: [[Float]]
    private let trees: [Float]

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        let noise = frame.noise
        lines = Self.curtains.indices.map { index in
            frame.columns { u in
                let shift = Float(index) * 1.9 + frame.choice(6) * 6
                return 0.34 + 0.12 * sin(u * 5 + shift) + 0.1 * noise.fractal(u * 3 + shift, 0.5, octaves: 3)
            }
        }
        rays = Self.curtains.indices.map { index in
            frame.columns { noise.fractal($0 * 26 + Float(index) * 5, 0.5, octaves: 2) }
        }
        trees = frame.columns {
            0.80 - 0.10 * noise.fractal($0 * 5, 0.5, octaves: 4) - 0.05 * noise.value($0 * 70, 3.5)
        }
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        if v > trees[column] { return [6, 10, 20] }
        var color = ramp(Self.sky, v)
        if noise.value(u * 210 * frame.aspect, v * 210) > 0.965 { color = [220, 230, 255] }
        for (index, light) in Self.curtains.enumerated() {
            let distance = v - lines[index][column]
            let fall = distance < 0.03 ? max(0, 1 + distance / 0.32) : max(0, 1 - distance / 0.10)
            color = mix(color, light, fall * fall * (0.25 + 0.6 * rays[index][column]))
        }
        return color
    }
}

/// A cloud of gas among stars.
struct NebulaScene: Scene {
    private let frame: SceneFrame
    private let noise: Noise
    private let warm: Color
    private let cold: Color

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        let isRed = frame.choice(7) < 0.5
        warm = isRed ? rgb(0xE6466E) : rgb(0xE0903C)
        cold = isRed ? rgb(0x468CF0) : rgb(0x2FA79A)
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let (x, y) = (u * frame.aspect, v)
        let first = noise.fractal(x * 3, y * 3, octaves: 5)
        let second = noise.fractal(x * 4 + 9, y * 4 + 3, octaves: 4)
        var color = mix(rgb(0x080618), warm, max(0, first - 0.38) * 2.2)
        color = mix(color, cold, max(0, second - 0.45) * 2.2)
        color = mix(color, rgb(0xFFE2B4), max(0, first + second - 1.1) * 2.4)
        return noise.value(x * 150, y * 150) > 0.965 ? [255, 255, 250] : color
    }
}

/// A planet with rings.
struct PlanetScene: Scene {
    private let frame: SceneFrame
    private let noise: Noise
    private let bands: [Color]
    private let tilt: Float

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        tilt = 0.15 + 0.25 * frame.choice(8)
        bands =
            frame.choice(9) < 0.5
            ? [rgb(0xE8CC98), rgb(0xDEBA82), rgb(0x966C4A), rgb(0xF2DEB8)]
            : [rgb(0x9AC4E0), rgb(0x5C8FC0), rgb(0x3A5F96), rgb(0xD8ECF4)]
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let (x, y) = ((u - 0.5) * frame.aspect, v - 0.5)
        var color: Color = noise.value(u * 190 * frame.aspect, v * 190) > 0.962 ? [210, 214, 240] : [10, 10, 22]
        let across = y + x * tilt
        let radius = hypot(x, across * 3.4)
        let isRing = radius > 0.46 && radius < 0.78 && !(radius > 0.62 && radius < 0.645)
        let ring = mix(bands[2] * 0.7, bands[3], noise.value(radius * 26, 2.5))
        if isRing, across < 0 { color = ring }
        let distance = hypot(x, y)
        if distance < 0.33 {
            let band = noise.fractal(0.3 + x * 0.8, across * 13, octaves: 3)
            color = ramp(bands, band * 1.3 - 0.15)
            let edge = (0.33 - distance) / 0.33
            color = mix(color, rgb(0x14101A), min(0.9, max(0, (x + 0.05) * 2.2)) + max(0, 0.15 - edge))
        }
        if isRing, across >= 0 { color = ring }
        return color
    }
}
