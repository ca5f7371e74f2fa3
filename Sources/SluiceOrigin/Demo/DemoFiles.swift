internal import SluiceCore

/// The files of a demo: made when they are first asked for, and kept.
final class DemoFiles: Sendable {
    private let files = Locked<[String: [UInt8]]>([:])

    /// The file of that name, made by `make` unless it was before.
    ///
    /// Two threads may make the same file at once; the first to end wins, and both are equal.
    func file(_ name: String, make: () -> [UInt8]) -> [UInt8] {
        if let known = files.withLock({ $0[name] }) { return known }
        let made = make()
        return files.withLock { files in
            if let known = files[name] { return known }
            files[name] = made
            return made
        }
    }
}
