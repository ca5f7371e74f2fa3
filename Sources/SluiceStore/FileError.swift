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
        case ELOOP, ENOTDIR:
            DownloadError(.ioError, "can't \(action) \(path): a part of it is a symbolic link or no folder")
        default:
            DownloadError(.ioError, "can't \(action) \(path): \(unsafe String(cString: strerror(number)))")
        }
    }

    /// Runs a call that answers -1 on failure, again where a signal interrupted it.
    static func check(
        _ action: @autoclosure () -> String,
        _ path: @autoclosure () -> String,
        _ call: () -> Int32
    ) throws(DownloadError) -> Int32 {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw error(errno, action(), path()) }
        }
    }
}
