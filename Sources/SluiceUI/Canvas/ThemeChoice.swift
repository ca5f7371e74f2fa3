/// Which theme the user wants.
public enum ThemeChoice: Equatable, Sendable {
    /// Dark, until the terminal says that its ground is light.
    case auto
    /// For a dark ground, whatever the terminal says.
    case dark
    /// For a light ground, whatever the terminal says.
    case light
    /// Strong colours only, for whatever ground the terminal has.
    case contrast
    /// Weights and words alone.
    case mono
    /// One of the user's own.
    case own(Palette)

    /// The names that `--theme` takes beside those of the user's own themes.
    public static let names = ["auto", "dark", "light", "contrast", "mono"]

    /// - Returns: `nil` for a name that is not among ``names``.
    public init?(name: String) {
        switch name {
        case "auto": self = .auto
        case "dark": self = .dark
        case "light": self = .light
        case "contrast": self = .contrast
        case "mono": self = .mono
        default: return nil
        }
    }

    /// As `--theme` and `:theme` call it.
    public var name: String {
        switch self {
        case .auto: "auto"
        case .dark: "dark"
        case .light: "light"
        case .contrast: "contrast"
        case .mono: "mono"
        case .own(let palette): palette.name
        }
    }

    /// Whether it depends on the ground of the terminal.
    public var followsGround: Bool { self == .auto || self == .contrast }

    func palette(isLightGround: Bool) -> Palette {
        switch self {
        case .auto: isLightGround ? .light : .dark
        case .dark, .mono: .dark
        case .light: .light
        case .contrast: isLightGround ? .lightContrast : .contrast
        case .own(let palette): palette
        }
    }
}
