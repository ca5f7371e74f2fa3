internal import SluiceCore

/// Whether a sketch is still wanted: no longer, once the complete body is there.
final class SketchWish: Sendable {
    private let isOpen = Locked(true)

    var holds: Bool { isOpen.withLock { $0 } }

    func end() { isOpen.withLock { $0 = false } }
}
