/// What a session adds to the calls of programs outside.
public struct ControlContext: Sendable {
    /// Whether bodies are saved at all.
    public let saves: Bool

    public init(saves: Bool) { self.saves = saves }

    /// The options of a request that names none.
    var options: RequestOptions { saves ? .standard : RequestOptions(saves: false) }
}
