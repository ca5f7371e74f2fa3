public import Synchronization

/// A value behind a lock, which is held to read or to swap the value.
///
/// Not across a call out, which may take long or want the lock itself, but for calls of which one must end before the next
/// begins: a database is opened (`Database`), a line is written (`EventWriter`), the writer's jobs are waited for
/// (`BlockWriter`), a thread is started whose name must be stored before it ends. None of those wants the lock.
///
/// A `Mutex` whose order ThreadSanitizer can see: under contention a `Mutex` on
/// Linux is acquired in the kernel, which the sanitizer does not observe and
/// reports as races. The extra atomic says the same in the program itself.
/// Inlined into other modules, where nothing else would know what it locks.
@frozen
public struct Locked<Value>: ~Copyable, Sendable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let order: Atomic<Bool>

    /// Takes a value behind a lock of its own.
    @inlinable
    public init(_ value: consuming sending Value) {
        mutex = Mutex(value)
        order = Atomic(false)
    }

    /// Runs `body` with the value; keep it short, others wait.
    @inlinable
    public borrowing func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        mutex.withLock { value in
            _ = order.load(ordering: .acquiring)
            defer { order.store(false, ordering: .releasing) }
            return body(&value)
        }
    }
}
