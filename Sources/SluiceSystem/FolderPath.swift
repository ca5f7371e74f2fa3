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
        make(path.split(separator: "/"), isAbsolute: path.hasPrefix("/"), access)
    }

    /// Makes the folders that a file is in, as far as they are missing.
    package static func make(above file: String, for access: Access) {
        make(file.split(separator: "/").dropLast(), isAbsolute: file.hasPrefix("/"), access)
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
