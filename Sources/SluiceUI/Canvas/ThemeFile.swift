public import SluiceCore

/// Reads the themes of a configuration file: `[themes.NAME]` with `base`, roles and gradients.
public enum ThemeFile {
    /// - Parameters:
    ///   - name: As `--theme` says it.
    ///   - file: The configuration, if there is one.
    /// - Returns: One of Sluice's own themes, or the user's of that name; `nil` if there is none.
    /// - Throws: For a section that says what no theme has.
    public static func theme(_ name: String, in file: ConfigurationFile?) throws(ConfigurationError) -> ThemeChoice? {
        if let file, let entries = try section(name, in: file) { return .own(try palette(name, entries, in: file)) }
        return ThemeChoice(name: name)
    }

    /// The names of the user's own themes, in the order of the file.
    public static func names(in file: ConfigurationFile?) throws(ConfigurationError) -> [String] {
        guard let file else { return [] }
        return try file.table("themes").map(\.key)
    }

    private static func section(
        _ name: String,
        in file: ConfigurationFile
    ) throws(ConfigurationError) -> [ConfigurationFile.Entry]? {
        guard let entry = try file.table("themes").first(where: { $0.key == name }) else { return nil }
        guard let table = entry.node.table else { throw file.bad(entry, allowed: "a section, [themes.\(name)]") }
        return table.entries
    }

    private static func palette(
        _ name: String,
        _ entries: [ConfigurationFile.Entry],
        in file: ConfigurationFile
    ) throws(ConfigurationError) -> Palette {
        var base = Palette.dark
        var roles: [Role: Int32] = [:]
        var gradients: [Gradient: [Int32]] = [:]
        let known = ["base"] + Role.allCases.map(\.name) + Gradient.allCases.map(\.name)
        for entry in entries {
            if entry.key == "base" {
                guard let word = entry.node.string, let choice = ["dark": Palette.dark, "light": .light][word] else {
                    throw file.bad(entry, allowed: "\"dark\" or \"light\"")
                }
                base = choice
            } else if let role = Role.allCases.first(where: { $0.name == entry.key }) {
                guard let color = color(entry.node) else {
                    throw file.bad(entry, allowed: "a colour: \"#rrggbb\", 0…255 or \"default\"")
                }
                roles[role] = color
            } else if let gradient = Gradient.allCases.first(where: { $0.name == entry.key }) {
                let stops = entry.node.array?.compactMap(color) ?? []
                guard stops.count >= 2, stops.count == entry.node.array?.count else {
                    throw file.bad(entry, allowed: "two to twelve colours, from weak to strong")
                }
                gradients[gradient] = (0..<Gradient.steps).map { step in
                    stops[min(stops.count - 1, step * stops.count / Gradient.steps)]
                }
            } else {
                throw file.unknown(entry, allowed: known)
            }
        }
        return base.changed(name: name, roles: roles, gradients: gradients)
    }

    private static func color(_ node: TOMLNode) -> Int32? {
        if let text = node.string { return PaletteColor.index(text) }
        return node.integer.flatMap { PaletteColor.index(String($0)) }
    }
}

extension Role {
    /// In the configuration.
    var name: String {
        switch self {
        case .fg: "fg"
        case .bright: "bright"
        case .dim: "dim"
        case .frame: "frame"
        case .track: "track"
        case .focus: "focus"
        case .accent: "accent"
        case .ok: "ok"
        case .run: "run"
        case .wait: "wait"
        case .bad: "bad"
        case .merge: "merge"
        case .purge: "purge"
        case .select: "select"
        case .ink: "ink"
        }
    }
}

extension Gradient {
    /// In the configuration; not the name of a role.
    var name: String {
        switch self {
        case .run: "runGradient"
        case .wait: "waitGradient"
        case .net: "netGradient"
        case .zone: "zoneGradient"
        }
    }
}
