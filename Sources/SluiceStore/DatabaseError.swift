/// Why a database could not be opened or asked.
package enum DatabaseError: Error, Equatable, Sendable {
    /// The file or its folder can't be used: permissions, no such place, no file system for it.
    case unavailable(String)
    /// The file is no database, or a damaged one; see ``Database/open(path:migrations:)``.
    case corrupt(String)
    /// A newer version of Sluice wrote it.
    case newer(version: Int)
    /// Another process keeps it locked for longer than the busy timeout.
    case busy(String)
    /// No space left.
    case full(String)
    /// A constraint forbids the change.
    case constraint(String)
    /// Anything else, with SQLite's own words.
    case failed(String)

    /// The human sentence, which names the cause and the cure.
    package var message: String {
        switch self {
        case .unavailable(let words): "\(words): check that the folder is yours and can be written"
        case .corrupt(let words): "\(words): the file is damaged"
        case .newer(let version): "a newer Sluice wrote it (version \(version)): update Sluice, or use another folder"
        case .busy(let words): "\(words): another program keeps it locked"
        case .full(let words): "\(words): make room"
        case .constraint(let words), .failed(let words): words
        }
    }

    /// Whether the same may be done later: others made room, unlocked the file, or made the folder writable again.
    package var mayPass: Bool {
        switch self {
        case .full, .busy, .unavailable: true
        case .corrupt, .newer, .constraint, .failed: false
        }
    }
}
