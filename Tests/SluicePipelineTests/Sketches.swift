import SluiceCore
import Testing

/// Every sketch that a pipeline published.
final class Sketches: Sendable {
    private let kept = Locked<[(TaskID, Bitmap)]>([])
    var all: [(TaskID, Bitmap)] { kept.withLock { $0 } }
    func add(_ task: TaskID, _ bitmap: Bitmap) { kept.withLock { $0.append((task, bitmap)) } }
}
