internal import SluiceCore

/// A value that a server's threads and a trial share.
final class SharedValue<Value: Sendable>: Sendable {
    private let contents: Locked<Value>

    init(_ value: Value) { contents = Locked(value) }

    var value: Value {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }

    func change(_ body: (inout Value) -> Void) { contents.withLock { body(&$0) } }
}
