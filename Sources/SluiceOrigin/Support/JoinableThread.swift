internal import CLinux

/// A thread that runs one closure and has to be joined exactly once.
struct JoinableThread: Sendable {
    private let thread: pthread_t

    /// - Throws: ``OriginError`` when the process is out of threads.
    init(_ run: @escaping @Sendable () -> Void) throws(OriginError) {
        var thread = pthread_t()
        let body = unsafe Unmanaged.passRetained(ThreadBody(run))
        guard unsafe pthread_create(&thread, nil, runThreadBody, body.toOpaque()) == 0 else {
            unsafe body.release()
            throw OriginError(doing: "start a thread")
        }
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }
}

/// Carries a closure through `pthread_create`.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let body = unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
    body.run()
    return nil
}
