internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// A process that a test started: ends with the test, whatever happens.
final class SpawnedProcess {
    let identifier: pid_t
    /// Readable when the process has ended.
    let descriptor: Int32
    private(set) var exit: ChildExit?
    /// The most memory that it used, in KiB; 0 while it runs.
    private(set) var maxResident = 0

    init(identifier: pid_t) {
        self.identifier = identifier
        descriptor = sluice_process_descriptor(identifier)
        precondition(descriptor >= 0, "the kernel knows no pidfd_open")
    }

    deinit {
        if exit == nil {
            kill(identifier, SIGKILL)
            collect(blocking: true)
        }
        close(descriptor)
    }

    func send(_ signal: Int32) { if exit == nil { kill(identifier, signal) } }

    /// Notes how the process ended, if it has.
    func collect(blocking: Bool = false) {
        guard exit == nil else { return }
        var status: Int32 = 0
        var usage = rusage()
        guard unsafe wait4(identifier, &status, blocking ? 0 : WNOHANG, &usage) == identifier else { return }
        exit = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
        maxResident = usage.ru_maxrss
    }
}
