internal import Glibc

/// The variables of a process, and the folders of its user that they name.
///
/// Folders are absolute. A variable that names none by itself is passed over, as the standard says: a relative path
/// would mean another folder wherever the process starts. That a folder is there is not known here.
///
/// - SeeAlso: XDG Base Directory Specification 0.8
package struct Environment {
    private let lookUp: (String) -> String?

    /// - Parameter lookUp: Gives the value of a variable; `nil` for one that is not set.
    package init(lookUp: @escaping (String) -> String?) { self.lookUp = lookUp }

    /// That of this process.
    package static var current: Environment { Environment(lookUp: variable) }

    /// A variable of this process; `nil` if it is not set.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The user's home; `/` is one as well.
    package var home: String? { folder("HOME") }

    /// For what outlives a process: `$XDG_STATE_HOME/sluice`, else `~/.local/state/sluice`.
    package var stateFolder: String? { own("XDG_STATE_HOME", usually: ".local/state") }

    /// For what can be had again: `$XDG_CACHE_HOME/sluice`, else `~/.cache/sluice`.
    package var cacheFolder: String? { own("XDG_CACHE_HOME", usually: ".cache") }

    /// For what the user writes: `$XDG_CONFIG_HOME/sluice`, else `~/.config/sluice`.
    package var configurationFolder: String? { own("XDG_CONFIG_HOME", usually: ".config") }

    /// For what ends with the user's session: `$XDG_RUNTIME_DIR/sluice`; nothing stands for it.
    package var runtimeFolder: String? { own("XDG_RUNTIME_DIR", usually: nil) }

    /// The folder of ours in one that a variable names, else in one of the home's.
    private func own(_ name: String, usually place: String?) -> String? {
        let base = folder(name) ?? place.flatMap { place in home.map { Self.path(place, in: $0) } }
        return base.map { Self.path("sluice", in: $0) }
    }

    private func folder(_ name: String) -> String? { lookUp(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }

    /// The root has its slash already.
    private static func path(_ name: String, in folder: String) -> String {
        folder == "/" ? folder + name : folder + "/" + name
    }
}
