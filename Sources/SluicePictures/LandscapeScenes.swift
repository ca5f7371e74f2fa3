internal import Glibc

/// Dunes under a low sun.
struct DunesScene: Scene {
    private static let skies = [
        [rgb(0x1D2A5C), rgb(0x5B4A8A), rgb(0xC8708A), rgb(0xF6A97A), rgb(0xFFE0A8)],
        [rgb(0x3A6EA5), rgb(0x7FB2D9), rgb(0xC9DDE3), rgb(0xF6E6C8), rgb(0xFBD9A0)],
    ]
    private static let layers: [(base: Float, height: Float, lit: Color, shade: Color)] = [
        (0.52, 0.05, rgb(0xE8A98C), rgb(0xB5717A)), (0.60, 0.08, rgb(0xF2B274), rgb(0x93505F)),
        (0.72, 0.11, rgb(0xF0A558), rgb(0x6D344F)), (0.88, 0.14, rgb(0xB8623F), rgb(0x331A35)),
    ]

    /// Where on a dune its crest is, from the foot of the side in the light.
    private static let crest: Float = 0.62

    private let frame: SceneFrame
    private let sky: [Color]
    private let sun: SIMD2<Float>
    /// Along each row of dunes: a whole number at each foot.
    private let places: [[Float]]
    private let ridges: [[Float]]
    private let ripples: Noise

    init(_ frame: SceneFrame) {
        self.frame = frame
        sky = Self.skies[frame.choice(1) < 0.6 ? 0 : 1]
        sun = [0.55 + 0.3 * frame.choice(2), 0.30 + 0.12 * frame.choice(3)]
        ripples = frame.noise
        let noise = frame.noise
        places = Self.layers.indices.map { index in
            frame.columns { u in
                let wave = noise.value(u * 2.3 + Float(index) * 5.1, 4.5) * 0.5
                return u * (2.1 - Float(index) * 0.4) * frame.aspect / 1.5 + frame.choice(50 + index) + wave
            }
        }
        ridges = places.enumerated().map { index, places in
            places.map { place in
                let (layer, part) = (Self.layers[index], Self.fraction(place))
                let rise = part < Self.crest ? part / Self.crest : (1 - part) / (1 - Self.crest)
                return layer.base - layer.height * (rise * rise * (2 - rise) - 0.35)
            }
        }
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        for index in Self.layers.indices.reversed() where v > ridges[index][column] {
            let (layer, depth) = (Self.layers[index], v - ridges[index][column])
            // The crest runs down towards the viewer in a bow, and parts light from shade.
            let part = Self.fraction(places[index][column] + depth * (1.5 - depth * 2.2))
            let edge = min(abs(part - Self.crest), min(part, 1 - part)) * 40
            let isLit = part > Self.crest
            let light = (isLit ? 0.62 + 0.38 * max(0, 1 - depth / 0.16) : 0.12 + 0.2 * max(0, 1 - depth / 0.2))
            let grain = ripples.value(u * 50 + v * 40, v * 200) - 0.5
            let soft = mix(0.4, light, min(1, edge + 0.2))
            return mix(layer.shade, layer.lit, soft + grain * 0.03 * Float(index + 1))
        }
        let distance = hypot((u - sun.x) * frame.aspect, v - sun.y)
        if distance < 0.075 { return rgb(0xFFF7DE) }
        let glow = max(0, 1 - distance / 0.45)
        return mix(ramp(sky, v / 0.6), rgb(0xFFF0C8), glow * glow * 0.75)
    }

    private static func fraction(_ value: Float) -> Float { value - value.rounded(.down) }
}

/// Mountains behind a lake.
struct MountainsScene: Scene {
    private struct Mood {
        var sky: [Color]
        var slopes: [Color]
        var snow: Color
        var hasSnow: Bool
    }

    private static let moods = [
        Mood(
            sky: [rgb(0x2F6FB8), rgb(0x6FA8DC), rgb(0xB8D8EE), rgb(0xF4F4EC)],
            slopes: [rgb(0x8A9CB4), rgb(0x5A7188), rgb(0x2C4A3A)],
            snow: rgb(0xF6F9FF),
            hasSnow: true
        ),
        Mood(
            sky: [rgb(0x0B1030), rgb(0x1B2A5E), rgb(0x41508C), rgb(0x8A7AA8)],
            slopes: [rgb(0x39406E), rgb(0x252B55), rgb(0x12152F)],
            snow: rgb(0xAAB8E4),
            hasSnow: true
        ),
        Mood(
            sky: [rgb(0xF6E2C0), rgb(0xF4C49A), rgb(0xE89A78), rgb(0xC86A60)],
            slopes: [rgb(0xB0584A), rgb(0x8A3A38), rgb(0x4E1F2A)],
            snow: rgb(0xFAA040),
            hasSnow: false
        ),
    ]
    private static let shore: Float = 0.76

    private let mood: Mood
    private let noise: Noise
    private let ridges: [[Float]]
    private let aspect: Float

    init(_ frame: SceneFrame) {
        mood = Self.moods[min(2, Int(frame.choice(1) * 3))]
        noise = frame.noise
        aspect = frame.aspect
        let noise = frame.noise
        let layers: [(base: Float, height: Float)] = [(0.40, 0.52), (0.54, 0.38), (0.68, 0.22)]
        ridges = layers.enumerated().map { index, layer in
            frame.columns { u in
                let wave = noise.fractal(
                    u * (2.2 + Float(index)) * frame.aspect / 1.5 + Float(index) * 17.3,
                    0.5,
                    octaves: 6
                )
                return layer.base + layer.height * (0.5 - wave)
            }
        }
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let isWater = v > Self.shore
        let ripple = isWater ? (noise.value(u * 18, v * 160) - 0.5) * 0.012 : 0
        let height = isWater ? 2 * Self.shore - v + ripple : v
        var color = land(column: column, u: u, v: height)
        if isWater { color = mix(color, mood.sky[1], 0.30 + 0.5 * (v - Self.shore)) }
        return color
    }

    private func land(column: Int, u: Float, v: Float) -> Color {
        for index in ridges.indices.reversed() where v > ridges[index][column] {
            let depth = v - ridges[index][column]
            let rock = noise.fractal(u * 20 * aspect + v * 17, v * 13 - u * 5, octaves: 4)
            let facet = min(max((rock - 0.42) * 7, 0), 1)
            var color = mood.slopes[index] * (0.72 + 0.5 * facet)
            if mood.hasSnow, index < 2 {
                let line = 0.05 + 0.16 * rock + 0.02 * Float(1 - index)
                let cover = min(max((line - depth) * 14, 0), 1)
                color = mix(color, mood.snow * (0.76 + 0.24 * facet), cover * 0.95)
            } else if !mood.hasSnow {
                color = mix(color, mood.snow, facet * (0.18 + 0.16 * Float(index)))
            }
            return mix(color, ramp(mood.sky, 0.9), Float(2 - index) * 0.14)
        }
        let clouds = noise.fractal(u * 3 * aspect, v * 9, octaves: 4)
        return mix(ramp(mood.sky, v / 0.62), [255, 255, 255], max(0, clouds - 0.56) * 1.6)
    }
}

/// A sunset over the sea.
struct SeaScene: Scene {
    private let frame: SceneFrame
    private let noise: Noise
    private let sun: Float
    private let sky: [Color]

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        sun = 0.25 + 0.5 * frame.choice(4)
        sky =
            frame.choice(5) < 0.5
            ? [rgb(0x243B72), rgb(0x7A5A9A), rgb(0xEE8A7A), rgb(0xFFD08A)]
            : [rgb(0x0E4D7A), rgb(0x3F8FB5), rgb(0x9AD0D0), rgb(0xFFE9B8)]
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let distance = hypot((u - sun) * frame.aspect, v - 0.44)
        if v < 0.52 {
            if distance < 0.09 { return rgb(0xFFF4D6) }
            let glow = max(0, 1 - distance / 0.5)
            let clouds = max(0, noise.fractal(u * 4 * frame.aspect, v * 14, octaves: 4) - 0.5)
            return mix(mix(ramp(sky, v / 0.52), rgb(0xFFDC96), glow * glow * 0.6), rgb(0x6A4A78), clouds * 1.2)
        }
        let depth = (v - 0.52) / 0.48
        let color = ramp([sky[2] * 0.85, sky[1] * 0.75, sky[0] * 0.8, sky[0] * 0.45], depth)
        let waves = noise.fractal(u * 14 / (0.3 + depth) * frame.aspect, v * 90 / (0.4 + depth), octaves: 2)
        if abs(u - sun) < 0.05 + 0.13 * depth, waves > 0.52 { return mix(color, rgb(0xFFDCA0), 0.8 - 0.5 * depth) }
        return mix(color, [255, 255, 255], waves > 0.7 ? 0.12 : 0)
    }
}

/// A town at dusk, with lit windows.
struct CityScene: Scene {
    private static let rows: [(base: Float, height: Float, houses: Float, wall: Color)] = [
        (0.40, 0.38, 22, rgb(0x262250)), (0.54, 0.40, 13, rgb(0x12122A)),
    ]

    private let frame: SceneFrame
    private let noise: Noise
    private let roofs: [[Float]]
    private let sky: [Color] = [rgb(0x101A44), rgb(0x4A3A7A), rgb(0xC0607A), rgb(0xF0A070)]

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        let noise = frame.noise
        roofs = Self.rows.enumerated().map { index, row in
            frame.columns { u in
                let house = (u * row.houses * frame.aspect / 1.5).rounded(.down)
                return row.base + row.height * (1 - noise.value(house * 3.7 + Float(index) * 50 + 0.5, 0.5)) * 0.9
                    - 0.05
            }
        }
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        for index in Self.rows.indices.reversed() where v > roofs[index][column] {
            let (across, down) = (u * 90 * frame.aspect, v * 62)
            let isWindow = across - across.rounded(.down) < 0.6 && down - down.rounded(.down) < 0.5
            let isLit = noise.value(across.rounded(.down) * 1.7 + 0.5, down.rounded(.down) * 2.3 + 0.5) > 0.66
            if index == 1, isWindow, isLit { return mix(rgb(0xFFD682), rgb(0xFF9A5A), noise.value(across * 0.3, 7)) }
            return Self.rows[index].wall * (1.1 - 0.3 * v)
        }
        let stars = noise.value(u * 170 * frame.aspect, v * 170)
        return v < 0.3 && stars > 0.96 ? rgb(0xE8EAFF) : ramp(sky, v / 0.8)
    }
}
