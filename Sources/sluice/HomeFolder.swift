internal import SluiceSystem

/// The user's home directory in paths, as shells read and people write it.
enum HomeFolder {
    /// `~` and `~/…` as the path that is meant; anything else as it is.
    static func expanded(_ path: String) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        let rest = String(path.dropFirst())
        return home == "/" && !rest.isEmpty ? rest : home + rest
    }

    /// With `~` for the home directory.
    static func abbreviated(_ path: String) -> String {
        // `/` is as short as `~`.
        guard let home, home != "/" else { return path }
        if path == home { return "~" }
        return path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    private static var home: String? { Environment.current.home }
}
