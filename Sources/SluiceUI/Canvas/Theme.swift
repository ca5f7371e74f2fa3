/// The one place that knows which colour a role has.
///
/// The ground is always the terminal's own, −1: it may be light, dark or an image.
struct Theme: Sendable {
    /// Of the eight.
    private static let (black, blue, cyan): (Int32, Int32, Int32) = (0, 4, 6)
    /// White, and bright white.
    private static let whites: Set<Int32> = [7, 15]
    /// Green, yellow and cyan: those of the eight that are so light that white can hardly be read on them.
    private static let lightGrounds: Set<Int32> = [2, 3, 6]
    /// Those of the eight that are neither black nor white.
    private static let colors: ClosedRange<Int32> = 1...6

    let depth: ColorDepth
    var palette = Palette.dark

    func style(_ ink: Ink, on ground: Role?) -> Style {
        switch depth {
        case .palette256: rich(ink, on: ground)
        case .ansi16, .ansi8: plain(ink, on: ground)
        case .mono: mono(ink, on: ground)
        }
    }

    /// Text of a row that is selected without being the cursor's.
    ///
    /// Few colours have no second ground: there the cursor alone is reversed, and what is selected is bold.
    func marked(_ ink: Ink) -> Style {
        guard depth != .palette256 else { return style(ink, on: .select) }
        var ink = ink
        let faint: [Ink.Color] = [.role(.dim), .role(.frame), .role(.track)]
        // What is faint and bold at once is one of both, as the terminal likes.
        if !faint.contains(ink.color) { ink.isBold = true }
        return style(ink, on: nil)
    }

    /// What lies behind the title of the focused panel: without colours its frame looks like all others.
    var titleGround: Role? { depth == .mono ? .focus : nil }

    /// What lies behind an overlay: there, but quiet.
    func dimmed(_ style: Style) -> Style {
        switch depth {
        case .palette256:
            Style(foreground: palette.color(.frame), background: style.background == -1 ? -1 : palette.color(.track))
        case .ansi16: Style(foreground: palette.coarse(.frame))
        case .ansi8, .mono: Style(attributes: .dim)
        }
    }

    private func rich(_ ink: Ink, on ground: Role?) -> Style {
        let foreground: Int32 =
            switch ink.color {
            // Seen on its own ground it would vanish.
            case .role(.track) where ground == .select: palette.color(.frame)
            case .role(let role): palette.color(role)
            case .step(let gradient, let step): palette.color(gradient, step)
            }
        let background = ground.map { palette.color($0) } ?? -1
        return Style(foreground: foreground, background: background, attributes: ink.isBold ? .bold : [])
    }

    private func plain(_ ink: Ink, on ground: Role?) -> Style {
        if ground == .select { return Style(attributes: ink.isBold ? [.reverse, .bold] : .reverse) }
        let role: Role =
            switch ink.color {
            case .role(let role): role
            case .step(let gradient, let step): Self.coarse(gradient, step)
            }
        var style = Style(foreground: palette.coarse(role), attributes: ink.isBold ? .bold : [])
        if let ground {
            style.background = palette.coarse(ground) & 7
            if role == .ink, Self.whites.contains(style.foreground), Self.lightGrounds.contains(style.background) {
                style.foreground = Self.black
            }
        }
        if depth == .ansi8 {
            if [.dim, .frame, .track].contains(role) {
                style.foreground = -1
                style.attributes.insert(.dim)
            } else if role == .bright {
                style.foreground = -1
                style.attributes.insert(.bold)
            } else if style.foreground > 7 {
                style.foreground -= 8
            }
            // The blue of old terminals, which have no bright one, can hardly be seen on black.
            if !palette.isLight, style.foreground == Self.blue { style.foreground = Self.cyan }
        }
        // Many terminals draw bold colours in their bright ones, which can hardly be read on white.
        if palette.isLight, Self.colors.contains(style.foreground) { style.attributes.remove(.bold) }
        // So bold black is grey, which can hardly be read on a pill or a flash.
        if ground != nil, style.foreground == Self.black { style.attributes.remove(.bold) }
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
