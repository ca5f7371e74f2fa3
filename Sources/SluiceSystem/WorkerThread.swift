internal import CLinux
internal import Glibc

/// A thread that runs one closure, and takes no signals, and no processor from others: those are the main thread's.
///
/// Whoever starts it joins or detaches it, once; a copy is the same thread. It keeps what the
/// closure holds until that returned, and has let go of it when ``join()`` returns. How it is told
/// to end is its owner's business.
package struct WorkerThread: Sendable {
    /// Carries a closure through `pthread_create`.
    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// What `pthread_self()` is on it.
    package let identifier: UInt

    /// Starts it.
    ///
    /// - Precondition: The process is not out of threads.
    package init(_ run: @escaping @Sendable () -> Void) {
        guard let started = Self.start(run) else { preconditionFailure("out of threads") }
        self = started
    }

    /// Starts one, where a process may be out of threads.
    ///
    /// - Returns: `nil`, with `errno`, if it is.
    package static func start(_ run: @escaping @Sendable () -> Void) -> WorkerThread? {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(run))
        let status = unsafe pthread_create(&thread, nil, runBody, body.toOpaque())
        guard status == 0 else {
            unsafe body.release()
            errno = status
            return nil
        }
        return WorkerThread(identifier: thread)
    }

    /// Whether the caller runs on it.
    package var isCurrent: Bool { identifier == pthread_self() }

    /// Blocks until it is over.
    package func join() { pthread_join(identifier, nil) }

    /// Lets it end without being waited for.
    package func detach() { pthread_detach(identifier) }

    private init(identifier: UInt) { self.identifier = identifier }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    sluice_block_signals()
    // Nobody waits for one as for the answer to a key, and some wake each other thousands of times a second.
    sluice_take_turns()
    unsafe Unmanaged<WorkerThread.Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
