import CLinux
import Glibc
import SluiceCore

/// Turns the system's error numbers into causes that one can act on.
enum FileError {
    /// Names what failed.
    ///
    /// - Parameters:
    ///   - number: `errno` of the failed call.
    ///   - action: What was tried, as in "write".
    ///   - path: To what.
    /// - Returns: `diskFull` or `ioError`, with a sentence.
    static func error(_ number: Int32, _ action: String, _ path: String) -> DownloadError {
        switch number {
        case ENOSPC:
            DownloadError(.diskFull, "no space left to \(action) \(path): make room, then resume")
        case EDQUOT:
            DownloadError(.diskFull, "the quota is used up, can't \(action) \(path): make room, then resume")
        case EMFILE:
            DownloadError(
                .ioError,
                "can't \(action) \(path): this process has as many files open as it may; raise ulimit -n, "
                    + "or lower maxActive"
            )
        case ENFILE:
            DownloadError(
                .ioError,
                "can't \(action) \(path): this machine has as many files open as it may; end other programs, "
                    + "or lower maxActive"
            )
        case ELOOP, ENOTDIR:
            DownloadError(.ioError, "can't \(action) \(path): a part of it is a symbolic link or no folder")
        default:
            DownloadError(.ioError, "can't \(action) \(path): \(unsafe String(cString: strerror(number)))")
        }
    }

    /// Runs a call that answers -1 on failure, again where a signal interrupted it.
    ///
    /// - Parameters:
    ///   - action: What the call tries, as in "open".
    ///   - path: To what.
    ///   - made: Why `path` could not be made before, as ``FolderPath`` says; it goes before the reason of the call,
    ///     which only finds nothing there.
    ///   - call: The call.
    /// - Returns: Its answer.
    /// - Throws: `diskFull` or `ioError`, with a sentence.
    static func check(
        _ action: @autoclosure () -> String,
        _ path: @autoclosure () -> String,
        made: Int32 = 0,
        _ call: () -> Int32
    ) throws(DownloadError) -> Int32 {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number == EINTR { continue }
            throw made == 0 ? error(number, action(), path()) : error(made, "make", path())
        }
    }
}
