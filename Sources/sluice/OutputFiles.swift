internal import Glibc
internal import SluiceCore
internal import SluiceTerminal

/// The files that events and sentences go to: none of those that the command reads, and no file for both.
struct OutputFiles {
    /// A file that nothing may be written over.
    struct Taken {
        /// As a complaint calls it.
        let name: String
        let path: String
    }

    private var taken: [Taken]

    /// - Parameter inputs: What the command reads.
    init(beside inputs: [Taken]) { taken = inputs }

    /// Opens a file behind what it has, and makes it if it is missing.
    ///
    /// Who empties it meanwhile, as a rotation of logs does, finds the next line at its start.
    ///
    /// - Parameters:
    ///   - path: Of it; `-` is standard output.
    ///   - option: That names it.
    ///   - signals: What ends the wait for who reads a pipe.
    /// - Returns: Its descriptor.
    /// - Throws: ``ExitStatus`` after a message, if it can't be opened or is taken, whatever name it has there.
    mutating func open(_ path: String, option: String, _ signals: SignalWatch?) throws -> Int32 {
        if path == "-" { return STDOUT_FILENO }
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND
        let (descriptor, error) = try PatientOpening.open(path, flags, signals: signals)
        guard descriptor >= 0 else {
            throw complain("\(option) \(path): \(unsafe String(cString: strerror(error)))")
        }
        if let same = taken.first(where: { Self.isSame(descriptor, $0.path) }) {
            close(descriptor)
            throw complain("\(option) \(path) is \(same.name), which it would write over: name another file")
        }
        taken.append(Taken(name: "the file of \(option)", path: path))
        return descriptor
    }

    /// Whether a name is that of an open file; of pipes and devices each writer has its own.
    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (open, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &open) == 0, open.st_mode & S_IFMT == S_IFREG else { return false }
        guard unsafe stat(path, &named) == 0 else { return false }
        return open.st_dev == named.st_dev && open.st_ino == named.st_ino
    }
}
