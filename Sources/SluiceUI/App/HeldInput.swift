internal import SluiceCore

/// A key for a row of the queue that is being asked for, and all input behind it.
struct HeldInput: Sendable {
    /// In the order in which it came.
    var events: [AppEvent] = []
    /// When it is done even if the row is not known.
    var until: Timestamp?
    /// Whether keys for rows that are not known wait at all.
    var waitsForRows = true

    var isEmpty: Bool { events.isEmpty }
}
