/// The colours of one theme: what each role and each step of a gradient looks like.
///
/// Indices of the 256-colour palette; −1 is the terminal's own. Terminals with fewer
/// colours get the nearest of theirs by ``Theme``. The ground is never painted.
public struct Palette: Equatable, Sendable {
    /// As `--theme` calls it.
    public let name: String
    /// Whether it is made for a light ground.
    public let isLight: Bool
    private var roles: [Int32]
    private var gradients: [[Int32]]
    /// For terminals with 16 colours.
    private var sixteen: [Int32]

    init(name: String, isLight: Bool, roles: [Role: Int32], gradients: [Gradient: [Int32]], sixteen: [Role: Int32]) {
        (self.name, self.isLight) = (name, isLight)
        self.roles = Role.allCases.map { roles[$0] ?? -1 }
        self.gradients = Gradient.allCases.map { gradients[$0] ?? Array(repeating: -1, count: Gradient.steps) }
        self.sixteen = Role.allCases.map { sixteen[$0] ?? -1 }
    }

    func color(_ role: Role) -> Int32 { roles[Int(role.rawValue)] }
    func color(_ gradient: Gradient, _ step: Int) -> Int32 { gradients[Int(gradient.rawValue)][step] }
    func coarse(_ role: Role) -> Int32 { sixteen[Int(role.rawValue)] }

    /// The same with other colours for some roles, under another name.
    func changed(name: String, roles changed: [Role: Int32], gradients others: [Gradient: [Int32]]) -> Palette {
        var copy = Palette(name: name, isLight: isLight, roles: [:], gradients: [:], sixteen: [:])
        (copy.roles, copy.gradients, copy.sixteen) = (roles, gradients, sixteen)
        for (role, color) in changed {
            copy.roles[Int(role.rawValue)] = color
            copy.sixteen[Int(role.rawValue)] = PaletteColor.sixteen(nearest: color)
        }
        for (gradient, steps) in others { copy.gradients[Int(gradient.rawValue)] = steps }
        return copy
    }
}

extension Palette {
    static let dark = Palette(
        name: "dark",
        isLight: false,
        roles: [
            .bright: 15, .dim: 246, .frame: 239, .track: 236, .focus: 114, .accent: 80, .ok: 71, .run: 75, .wait: 179,
            .bad: 203, .merge: 141, .purge: 215, .select: 235, .ink: 16,
        ],
        gradients: [
            .run: [25, 25, 26, 32, 33, 33, 39, 75, 75, 117, 117, 153],
            .wait: [94, 94, 136, 136, 172, 178, 179, 179, 221, 222, 222, 222],
            .net: [24, 24, 31, 31, 38, 38, 44, 44, 80, 80, 122, 122],
            .zone: [24, 30, 30, 37, 37, 73, 79, 78, 150, 179, 215, 203],
        ],
        sixteen: darkSixteen
    )

    static let light = Palette(
        name: "light",
        isLight: true,
        roles: [
            .bright: 16, .dim: 241, .frame: 250, .track: 254, .focus: 22, .accent: 24, .ok: 22, .run: 25, .wait: 58,
            .bad: 124, .merge: 55, .purge: 94, .select: 255, .ink: 231,
        ],
        gradients: [
            .run: [111, 111, 75, 75, 69, 69, 33, 32, 26, 25, 25, 25],
            .wait: [180, 180, 179, 179, 178, 172, 136, 136, 130, 94, 94, 94],
            .net: [116, 116, 74, 74, 74, 38, 31, 31, 31, 24, 24, 24],
            .zone: [116, 116, 80, 73, 37, 36, 36, 29, 65, 136, 130, 124],
        ],
        sixteen: lightSixteen
    )

    /// Few shades, strong ones: everything that is text stands out at least 7:1 from black.
    static let contrast = Palette(
        name: "contrast",
        isLight: false,
        roles: [
            .fg: 15, .bright: 15, .dim: 252, .frame: 250, .track: 240, .focus: 120, .accent: 87, .ok: 120, .run: 123,
            .wait: 227, .bad: 217, .merge: 219, .purge: 222, .select: 18, .ink: 16,
        ],
        gradients: [
            .run: Array(repeating: 123, count: 12), .wait: Array(repeating: 227, count: 12),
            .net: Array(repeating: 87, count: 12),
            .zone: [87, 87, 87, 87, 87, 87, 87, 120, 120, 227, 227, 217],
        ],
        sixteen: darkSixteen.merging([.dim: 7, .frame: 7, .fg: 15, .select: 4]) { $1 }
    )

    /// As ``contrast``, for a light ground.
    static let lightContrast = Palette(
        name: "contrast",
        isLight: true,
        roles: [
            .fg: 16, .bright: 16, .dim: 236, .frame: 239, .track: 250, .focus: 22, .accent: 17, .ok: 22, .run: 17,
            .wait: 52, .bad: 88, .merge: 53, .purge: 52, .select: 229, .ink: 231,
        ],
        gradients: [
            .run: Array(repeating: 17, count: 12), .wait: Array(repeating: 52, count: 12),
            .net: Array(repeating: 17, count: 12), .zone: [17, 17, 17, 17, 17, 17, 17, 22, 22, 52, 52, 88],
        ],
        sixteen: lightSixteen.merging([.dim: 0, .frame: 0, .fg: 0]) { $1 }
    )

    private static let darkSixteen: [Role: Int32] = [
        .fg: -1, .bright: 15, .dim: 8, .frame: 8, .track: 8, .select: 8, .focus: 10, .accent: 14, .ok: 2, .run: 12,
        .wait: 3, .bad: 9, .merge: 13, .purge: 11, .ink: 0,
    ]

    private static let lightSixteen: [Role: Int32] = [
        .fg: -1, .bright: 0, .dim: 8, .frame: 7, .track: 7, .select: 7, .focus: 2, .accent: 4, .ok: 2, .run: 4,
        .wait: 3, .bad: 1, .merge: 5, .purge: 3, .ink: 15,
    ]
}
