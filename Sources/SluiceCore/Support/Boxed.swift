/// A value on the heap.
///
/// For large parts of rows that most rows don't have: a dictionary keeps room for more rows than it holds, each as
/// large as the largest.
public indirect enum Boxed<Value: Sendable>: Sendable {
    case value(Value)

    /// What is in the box.
    public var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}

extension Boxed: Equatable where Value: Equatable {}
