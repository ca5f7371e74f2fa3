internal import CLinux
internal import Glibc

/// Makes the folders of a path.
///
/// What can't be made is no error here: it may be there all the same. Whoever then can't use it is told why by the
/// number of the call that failed: that of a later one only says that nothing is there.
package enum FolderPath {
    /// Who may use a folder that is made; one that is there stays as it is.
    package enum Access: Sendable {
        case owner
        /// As far as the process's umask allows.
        case everybody
    }

    /// Makes a folder and those above it, as far as they are missing.
    ///
    /// - Parameters:
    ///   - path: Of the folder.
    ///   - access: Who may use those that are made.
    /// - Returns: `errno` of what kept it from being made; 0 if it was made, or something has its name already.
    @discardableResult
    package static func make(_ path: String, for access: Access) -> Int32 {
        make(parts(of: path), isAbsolute: path.utf8.first == UInt8(ascii: "/"), access)
    }

    /// Makes the folders that a file is in, as far as they are missing.
    ///
    /// - Parameters:
    ///   - file: The path of the file.
    ///   - access: Who may use those that are made.
    /// - Returns: As ``make(_:for:)`` does.
    @discardableResult
    package static func make(above file: String, for access: Access) -> Int32 {
        make(parts(of: file).dropLast(), isAbsolute: file.utf8.first == UInt8(ascii: "/"), access)
    }

    /// By bytes, as the system does: a letter may be a slash and a mark that combines with it.
    private static func parts(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    private static func make(_ parts: some Sequence<Substring>, isAbsolute: Bool, _ access: Access) -> Int32 {
        var made = isAbsolute ? "/" : ""
        var failure: Int32 = 0
        for part in parts {
            made += part
            if unsafe mkdir(made, access == .owner ? 0o700 : 0o777) == 0 || errno == EEXIST {
                // One that is there may be refused, as where somebody mounted something; below it that means nothing.
                failure = 0
            } else if failure == 0 {
                // What is below fails too, because this is missing.
                failure = errno
            }
            made += "/"
        }
        return failure
    }
}
