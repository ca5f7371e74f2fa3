import Glibc

/// A file that is locked for as long as this lives.
///
/// Source: flock(2), whose lock also goes with the process, whatever ends it.
final class HeldLock: Sendable {
    private let descriptor: Int32

    /// - Parameter descriptor: Of the locked file; closed at the end.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
