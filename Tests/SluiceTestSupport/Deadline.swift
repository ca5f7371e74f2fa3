internal import CLinux
internal import Glibc
internal import SluiceCore
internal import SluiceSystem

extension Duration {
    /// How long a test waits for what must come: only what never comes takes as long, however slow the machine is.
    public static let patience: Duration = .seconds(60)
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
