/// The user's folder for what outlives a process.
enum StateFolder {
    /// Absolute; `nil` where the environment names none.
    static var path: String? {
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/sluice" }
        return environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/sluice" : nil }
    }
}
