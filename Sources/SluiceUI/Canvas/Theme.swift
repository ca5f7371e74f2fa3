/// How many colours a terminal has.
public enum ColorDepth: Sendable, CaseIterable {
    /// None wanted (`NO_COLOR`) or none there: bold, dim and reverse carry the weights.
    case mono
    case ansi8
    case ansi16
    case palette256

    /// - Parameter colors: As terminfo counts them; below 8 is mono.
    public init(colors: Int) {
        self =
            switch colors {
            case ..<8: .mono
            case 8..<16: .ansi8
            case 16..<256: .ansi16
            default: .palette256
            }
    }
}

/// The one place that knows which colour a role has.
///
/// The ground is always the terminal's own, −1: it may be light, dark or an image.
struct Theme: Sendable {
    let depth: ColorDepth

    func style(_ ink: Ink, on ground: Role?) -> Style {
        switch depth {
        case .palette256: rich(ink, on: ground)
        case .ansi16, .ansi8: plain(ink, on: ground)
        case .mono: mono(ink, on: ground)
        }
    }

    /// What lies behind an overlay: there, but quiet.
    func dimmed(_ style: Style) -> Style {
        switch depth {
        case .palette256: Style(foreground: 239, background: style.background == -1 ? -1 : 234)
        case .ansi16: Style(foreground: 8)
        case .ansi8, .mono: Style(attributes: .dim)
        }
    }

    private func rich(_ ink: Ink, on ground: Role?) -> Style {
        let foreground: Int16 =
            switch ink.color {
            case .role(.track) where ground == .select: 238
            case .role(let role): Self.palette(role)
            case .step(let gradient, let step): Self.palette(gradient)[step]
            }
        let background = ground.map(Self.palette) ?? -1
        return Style(foreground: foreground, background: background, attributes: ink.isBold ? .bold : [])
    }

    private func plain(_ ink: Ink, on ground: Role?) -> Style {
        if ground == .select { return Style(attributes: ink.isBold ? [.reverse, .bold] : .reverse) }
        let role: Role =
            switch ink.color {
            case .role(let role): role
            case .step(let gradient, let step): Self.coarse(gradient, step)
            }
        var style = Style(foreground: Self.sixteen(role), attributes: ink.isBold ? .bold : [])
        if let ground { style.background = Self.sixteen(ground) & 7 }
        guard depth == .ansi8 else { return style }
        if [.dim, .frame, .track].contains(role) {
            style.foreground = -1
            style.attributes.insert(.dim)
        } else if role == .bright {
            style.foreground = -1
            style.attributes.insert(.bold)
        } else if style.foreground > 7 {
            style.foreground -= 8
        }
        return style
    }

    private func mono(_ ink: Ink, on ground: Role?) -> Style {
        var attributes: Style.Attributes = ink.isBold ? .bold : []
        if case .role(let role) = ink.color {
            if [.dim, .frame, .track].contains(role), ground == nil { attributes.insert(.dim) }
            if role == .bright { attributes.insert(.bold) }
        }
        if let ground, ground != .track { attributes.insert(.reverse) }
        return Style(attributes: attributes)
    }

    private static func palette(_ role: Role) -> Int16 {
        switch role {
        case .fg: -1
        case .bright: 15
        case .dim: 246
        case .frame: 239
        case .track: 236
        case .focus: 114
        case .accent: 80
        case .ok: 71
        case .run: 75
        case .wait: 179
        case .bad: 203
        case .merge: 141
        case .purge: 215
        case .select: 235
        case .ink: 16
        }
    }

    private static func palette(_ gradient: Gradient) -> [Int16] {
        switch gradient {
        case .run: [25, 25, 26, 32, 33, 33, 39, 75, 75, 117, 117, 153]
        case .wait: [94, 94, 136, 136, 172, 178, 179, 179, 221, 222, 222, 222]
        case .net: [24, 24, 31, 31, 38, 38, 44, 44, 80, 80, 122, 122]
        case .zone: [24, 30, 30, 37, 37, 73, 79, 78, 150, 179, 215, 203]
        }
    }

    private static func sixteen(_ role: Role) -> Int16 {
        switch role {
        case .fg: -1
        case .bright: 15
        case .dim, .frame, .track, .select: 8
        case .focus: 10
        case .accent: 14
        case .ok: 2
        case .run: 12
        case .wait: 3
        case .bad: 9
        case .merge: 13
        case .purge: 11
        case .ink: 0
        }
    }

    /// The role whose colour stands for a step where there are no twelve shades.
    private static func coarse(_ gradient: Gradient, _ step: Int) -> Role {
        switch gradient {
        case .run: .run
        case .wait: .wait
        case .net: .accent
        case .zone: step >= 11 ? .bad : step >= 9 ? .wait : step >= 7 ? .ok : .accent
        }
    }
}
