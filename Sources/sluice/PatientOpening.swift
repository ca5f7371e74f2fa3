internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem
internal import SluiceTerminal

/// Waits for the other end of a pipe before anything is downloaded, until a signal ends that.
enum PatientOpening {
    /// What a thread that opens shares with who waits for it.
    private final class Attempt: Sendable {
        let result = Locked<(descriptor: Int32, error: Int32)?>(nil)
        let bell: Doorbell

        init(_ bell: Doorbell) { self.bell = bell }
    }

    /// Opens a file, or a pipe once somebody reads it.
    ///
    /// - Parameters:
    ///   - path: Of it.
    ///   - flags: For `open(2)`.
    ///   - signals: What ends the wait; the program must end then, since the pipe may still be opened.
    /// - Returns: What `open(2)` does, and its error.
    /// - Throws: ``ExitStatus/stopped`` after a message, if a signal came first.
    static func open(_ path: String, _ flags: Int32, signals: SignalWatch?) throws -> (descriptor: Int32, error: Int32)
    {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            let descriptor = unsafe Glibc.open(path, flags, 0o600)
            return (descriptor, errno)
        }
        guard let bell = Doorbell.ifPossible() else { return (-1, errno) }
        let attempt = Attempt(bell)
        // Nothing tells when somebody comes to read but an open that waits.
        let opener = WorkerThread.start {
            let descriptor = unsafe Glibc.open(path, flags, 0o600)
            let error = errno
            attempt.result.withLock { $0 = (descriptor, error) }
            attempt.bell.ring()
        }
        guard let opener else { return (-1, errno) }
        opener.detach()
        while wait(for: attempt.bell.descriptor, signals: signals) {
            if let opened = attempt.result.withLock({ $0 }) { return opened }
        }
        throw complain("stopped while nobody read \(path): nothing was downloaded", status: .stopped)
    }

    /// Waits until a descriptor can be read, or is at its end.
    ///
    /// - Parameters:
    ///   - descriptor: Of the pipe.
    ///   - signals: What ends the wait; `nil` if signals end the program anyway.
    /// - Returns: `false` if a signal came first.
    static func wait(for descriptor: Int32, signals: SignalWatch?) -> Bool {
        while true {
            var watched = [descriptor, signals?.descriptor ?? -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = unsafe poll(&watched, 2, -1)
            if signals?.ending != nil { return false }
            if count > 0, watched[0].revents != 0 { return true }
        }
    }
}
