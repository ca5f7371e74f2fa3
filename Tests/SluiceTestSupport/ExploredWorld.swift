/// A machine with what an observer of it knows, for ``exploreAll(from:depth:steps:problem:)``.
public protocol ExploredWorld {
    /// Looks whether the machine and the observer still agree.
    mutating func check()
}

extension ExploredWorld {
    /// This world after a change, checked, with the name that the change has in a trace.
    @inlinable public func step(_ name: String, _ change: (inout Self) -> Void) -> (name: String, next: Self) {
        var next = self
        change(&next)
        next.check()
        return (name, next)
    }
}
