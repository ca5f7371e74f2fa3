internal import Glibc

/// Colours that flow into each other; moves with the phase and ends where it began.
struct PlasmaScene: Scene {
    private static let palettes = [
        [rgb(0x10204A), rgb(0x2A6FB0), rgb(0x5FD3C8), rgb(0xF4F0C0), rgb(0x10204A)],
        [rgb(0x2A0F3A), rgb(0x8A2F6A), rgb(0xF07860), rgb(0xFFD98A), rgb(0x2A0F3A)],
        [rgb(0x0F2A20), rgb(0x2F7F5A), rgb(0xB8D860), rgb(0xFFF4C0), rgb(0x0F2A20)],
    ]

    private let frame: SceneFrame
    private let palette: [Color]
    private let turn: Float

    init(_ frame: SceneFrame) {
        self.frame = frame
        palette = Self.palettes[min(2, Int(frame.choice(10) * 3))]
        turn = frame.phase * 2 * .pi
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let (x, y) = (u * frame.aspect * 8, v * 8)
        let shift = frame.choice(11) * 6
        var sum = sin(x + shift + turn) + sin(y * 0.8 - turn) + sin((x + y) * 0.6 + shift)
        sum += sin(hypot(x - 5 + sin(turn), y - 4 + cos(turn)) * 1.3)
        let place = sum / 7 + 0.5
        return ramp(palette, place)
    }
}

/// The cover of a record: large shapes in few colours.
struct CoverScene: Scene {
    private static let palettes = [
        [rgb(0xF4EBDD), rgb(0xE4572E), rgb(0x17BEBB), rgb(0x2E282A), rgb(0xFFC914)],
        [rgb(0x1B1B3A), rgb(0xF64C72), rgb(0x99738E), rgb(0xF8E9A1), rgb(0x2F2FA2)],
        [rgb(0xE8F1F2), rgb(0x006494), rgb(0x13293D), rgb(0xF2AF29), rgb(0x4B9CD3)],
        [rgb(0xFDF0D5), rgb(0x003049), rgb(0xC1121F), rgb(0x669BBC), rgb(0x780000)],
    ]

    private struct Disc {
        var center: SIMD2<Float>
        var radius: Float
        var color: Color
        var core: Color?
    }

    private let frame: SceneFrame
    private let palette: [Color]
    private let noise: Noise
    private let direction: SIMD2<Float>
    private let horizon: Float
    private let discs: [Disc]

    init(_ frame: SceneFrame) {
        self.frame = frame
        noise = frame.noise
        let palette = Self.palettes[min(3, Int(frame.choice(12) * 4))]
        self.palette = palette
        let angle = frame.choice(13) * 3
        direction = SIMD2(cos(angle), sin(angle)) * (4 + 8 * frame.choice(14))
        horizon = frame.choice(15) * 0.8
        discs = (0..<4).map { index in
            Disc(
                center: [frame.choice(20 + index) * frame.aspect, frame.choice(30 + index)],
                radius: 0.08 + 0.28 * frame.choice(40 + index),
                color: palette[1 + index % 3],
                core: index.isMultiple(of: 2) ? palette[(index + 3) % 5] : nil
            )
        }
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let (x, y) = (u * frame.aspect, v)
        var color = palette[0]
        let stripe = x * direction.x + y * direction.y
        if stripe - stripe.rounded(.down) < 0.35, y > horizon { color = palette[4] }
        for disc in discs {
            let distance = hypot(x - disc.center.x, y - disc.center.y)
            if distance < disc.radius { color = disc.color }
            if let core = disc.core, distance < disc.radius * 0.55 { color = core }
        }
        return color * (0.97 + 0.05 * noise.value(x * 240, y * 240))
    }
}

/// Concentric rings that travel outwards; for animations.
struct RingsScene: Scene {
    private let frame: SceneFrame
    private let colors: [Color]

    init(_ frame: SceneFrame) {
        self.frame = frame
        colors = frame.choice(16) < 0.5 ? [rgb(0x101418), rgb(0x5FD3D3)] : [rgb(0x1A1020), rgb(0xFFAF5F)]
    }

    func color(column: Int, u: Float, v: Float) -> Color {
        let distance = hypot((u - 0.5) * frame.aspect, v - 0.5)
        let wave = sin((distance * 7 - frame.phase) * 2 * .pi) * 0.5 + 0.5
        return mix(colors[0], colors[1], wave * wave * max(0, 1 - distance * 1.3))
    }
}
