import CLinux
import SluiceSystem

@testable import SluiceStore

/// Holds a writer's thread up from the moment it is made until it is told to let it go on.
///
/// The thread blocks on a bell that is rung already as often as it can be.
final class StalledBell {
    private let bell = Doorbell(waits: true)
    private let writer: BlockWriter

    init(_ writer: BlockWriter) {
        self.writer = writer
        eventfd_write(bell.descriptor, .max - 1)
        writer.signal(bell.descriptor)
    }

    /// Lets the thread go on, and waits until it has done all jobs so far; once.
    func release() {
        bell.answer()
        // The thread is still to ring it.
        withExtendedLifetime(bell) { writer.drain() }
    }
}
