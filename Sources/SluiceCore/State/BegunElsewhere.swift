/// Requests of an earlier session whose files went to another directory.
public struct BegunElsewhere: Equatable, Sendable {
    /// The destination directory of that session.
    public var directory: String
    /// How many there are.
    public var count: Int
    /// Whether this session goes on with them; else they are kept for one that saves files.
    public var isTaken: Bool

    /// Requests of a directory that is not this session's.
    public init(directory: String, count: Int, isTaken: Bool) {
        (self.directory, self.count, self.isTaken) = (directory, count, isTaken)
    }

    /// How many they are, and what to do; starts with a figure and has no full stop.
    public var sentence: String {
        let isOne = count == 1
        let requests = isOne ? "1 request" : "\(count) requests"
        guard isTaken else {
            return "\(requests) \(isOne ? "saves its file" : "save their files") to \(directory): "
                + "start sluice without --no-save to go on"
        }
        return "\(requests) begun for \(directory) \(isOne ? "goes" : "go") on here without \(isOne ? "its" : "their") "
            + "partial files: quit and use --dir \(directory) to go on with them"
    }

    /// The same of several directories, of which the first few are named.
    public static func sentence(of all: [BegunElsewhere]) -> String {
        let named = all.prefix(3).map(\.sentence)
        let others = all.dropFirst(3)
        guard !others.isEmpty else { return named.joined(separator: "; ") }
        let count = others.reduce(0) { $0 + $1.count }
        return (named + ["\(count) more of other directories"]).joined(separator: "; ")
    }
}
