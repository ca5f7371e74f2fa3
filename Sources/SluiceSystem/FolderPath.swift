internal import CLinux

/// Makes the folders of a path.
///
/// What can't be made is no error here: it can't be used either, and whoever tries is told why.
package enum FolderPath {
    /// Who may use a folder that is made; one that is there stays as it is.
    package enum Access: Sendable {
        case owner
        /// As far as the process's umask allows.
        case everybody
    }

    /// Makes a folder and those above it, as far as they are missing.
    package static func make(_ path: String, for access: Access) {
        make(parts(of: path), isAbsolute: path.utf8.first == UInt8(ascii: "/"), access)
    }

    /// Makes the folders that a file is in, as far as they are missing.
    package static func make(above file: String, for access: Access) {
        make(parts(of: file).dropLast(), isAbsolute: file.utf8.first == UInt8(ascii: "/"), access)
    }

    /// By bytes, as the system does: a letter may be a slash and a mark that combines with it.
    private static func parts(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    private static func make(_ parts: some Sequence<Substring>, isAbsolute: Bool, _ access: Access) {
        var made = isAbsolute ? "/" : ""
        for part in parts {
            made += part
            unsafe mkdir(made, access == .owner ? 0o700 : 0o777)
            made += "/"
        }
    }
}
