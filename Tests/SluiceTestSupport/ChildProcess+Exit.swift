internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

/// How a process ended.
public enum ChildExit: Equatable, Sendable {
    case exited(Int32)
    /// Killed by the signal of this number.
    case signalled(Int32)
}

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

/// A moment at which a test gives up, so that no wait is endless.
struct Deadline {
    private let end: Timestamp

    init(within limit: Duration) { end = MonotonicClock.now() + limit }

    /// What `poll` wants; 0 once it has passed.
    var milliseconds: Int32 { MonotonicClock.milliseconds(from: MonotonicClock.now(), to: end) }
    var hasPassed: Bool { milliseconds == 0 }
}

/// Waits until one of `descriptors` can be read, at most until `deadline`.
///
/// - Returns: For each, whether it can be read or is closed.
func waitForReadable(_ descriptors: [Int32], until deadline: Deadline) -> [Bool] {
    var ready = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = unsafe ready.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), deadline.milliseconds)
    }
    return ready.map { count > 0 && $0.revents != 0 }
}
