import Synchronization

/// Where a store keeps bodies that are files of the user's too, under names of its own.
///
/// Callable from any thread.
public protocol BodyNaming: Sendable {
    /// Gives an open file a name among the bodies.
    ///
    /// - Returns: `false` where the file system can't.
    func name(_ descriptor: Int32, as id: ResponseID) -> Bool
    /// Takes that name away.
    func unname(_ id: ResponseID)
    /// Nobody will give that name any more.
    func release(_ id: ResponseID)
}

/// A place in the HTTP cache for the body of a file that has no name yet.
///
/// Whoever gives the file its first name gives it this one too, before anybody hears of it: so the bytes stay whoever
/// deletes the file, and the loop need not wait for the file system. What the cache does not take over by ``keep()``
/// goes again with the last who knows of it.
public final class ReservedBody: Sendable {
    private enum State: UInt8, AtomicRepresentable {
        case unnamed
        case named
        case kept
    }

    public let id: ResponseID
    private let names: any BodyNaming
    private let state = Atomic<State>(.unnamed)

    /// - Parameters:
    ///   - id: Never used before.
    ///   - names: Gives and takes the name.
    public init(_ id: ResponseID, in names: any BodyNaming) { (self.id, self.names) = (id, names) }

    deinit {
        let state = state.load(ordering: .acquiring)
        if state == .kept { return }
        if state == .named { names.unname(id) }
        names.release(id)
    }

    /// Gives an open file the name, if the file system can; at most once, on any thread.
    public func name(_ descriptor: Int32) {
        if names.name(descriptor, as: id) { state.store(.named, ordering: .releasing) }
    }

    /// Leaves the name for good, where it was given.
    ///
    /// - Returns: Whether it was.
    public func keep() -> Bool {
        guard state.load(ordering: .acquiring) == .named else { return false }
        state.store(.kept, ordering: .relaxed)
        names.release(id)
        return true
    }
}
