internal import CLinux
internal import Glibc
internal import SluiceSystem

/// Where running Sluices put their sockets, unless they are told otherwise: one folder of the user's, one name a process.
public struct ControlFolder: Sendable {
    /// Absolute.
    public let path: String

    /// The folder that the environment names; `nil` if it names none.
    public init?() {
        let environment = Environment.current
        guard let path = environment.runtimeFolder ?? environment.stateFolder.map({ $0 + "/run" }) else { return nil }
        self.path = path
    }

    /// The socket of a process, in a folder that is made now, for the owner alone.
    ///
    /// - Throws: If the folder can't be made, or is not the owner's alone.
    public func socket(of process: Int32) throws(ControlSocketError) -> String {
        let made = FolderPath.make(path, for: .owner)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw ListeningSocket.failure("can't make", path, made == 0 ? errno : made)
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw ControlSocketError("\(path) is not a folder of yours alone; chmod 700 it, or name a --socket")
        }
        return "\(path)/\(process).sock"
    }

    /// The sockets in it behind which somebody listens, in order of their names.
    ///
    /// What dead processes left is removed.
    public func liveSockets() -> [String] {
        let names = FolderListing.names(in: path).filter { $0.hasSuffix(".sock") }.map { path + "/" + $0 }
        return names.sorted().filter { name in
            let connection = unsafe sluice_unix_connect(name)
            if connection >= 0 {
                Glibc.close(connection)
                return true
            }
            if errno == ECONNREFUSED { ListeningSocket.removeDead(name) }
            return false
        }
    }
}
