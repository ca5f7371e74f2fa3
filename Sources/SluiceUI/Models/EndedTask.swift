internal import SluiceCore

/// A task that ended, as a row of the finished list.
struct EndedTask: Sendable {
    /// Grows by one from task to task.
    let seq: Int
    /// Since the start of the session.
    let t: Duration
    let end: TaskEnd

    /// The file's name, else the last part of the URL; not sanitised.
    var name: String {
        end.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? URLText.name(of: end.url)
    }
}
