internal import SluiceCore

/// What arrived of the images in the gallery that are still being loaded.
struct TileSketches: Sendable {
    struct Sketch: Sendable {
        /// No two are equal, nor equal to one of the preview.
        let serial: Int
        let bitmap: Bitmap
    }

    private(set) var shown: [TaskID: Sketch] = [:]
    /// Newer ones, which wait until ``due``.
    private var pending: [TaskID: Bitmap] = [:]
    /// When the next ones may be shown; `nil` for at once.
    var due: Timestamp?

    var isEmpty: Bool { shown.isEmpty && pending.isEmpty }

    /// When something has to be shown, or `nil`.
    var nextTimer: Timestamp? { pending.isEmpty ? nil : due }

    func isDue(_ now: Timestamp) -> Bool { !pending.isEmpty && due.map { $0 <= now } ?? true }

    mutating func take(_ sketch: PictureSketch) { pending[sketch.task] = sketch.tile }

    /// Forgets those whose tiles are not seen, or need none any more.
    mutating func keep(only tasks: Set<TaskID>) {
        if isEmpty { return }
        shown = shown.filter { tasks.contains($0.key) }
        pending = pending.filter { tasks.contains($0.key) }
    }

    /// Shows all that wait.
    ///
    /// - Returns: Their tasks.
    mutating func show(numberedFrom serial: inout Int) -> [TaskID] {
        let tasks = pending.keys.sorted()
        for task in tasks {
            guard let bitmap = pending.removeValue(forKey: task) else { continue }
            serial += 1
            shown[task] = Sketch(serial: serial, bitmap: bitmap)
        }
        return tasks
    }
}
