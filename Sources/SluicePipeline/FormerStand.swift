internal import SluiceCore

/// Where a task stood under the rules of trust of an earlier session, to stand there again in one where they hold.
struct FormerStand: Equatable {
    /// Whether somebody had paused it.
    var isPaused: Bool
    /// Of ``TaskQueue/Band``, or ``TaskRecord/activeBand``.
    var band: Int
    /// When its next attempt was due, in nanoseconds since 1970.
    var waitsUntil: Int64?
    /// The merge key as text that it had.
    let key: String?

    init(_ restored: RestoredRequest) {
        (isPaused, band) = (restored.isPaused, restored.band)
        (waitsUntil, key) = (restored.waitsUntil, restored.key)
    }

    /// Takes in another request of the same task.
    mutating func join(_ other: FormerStand) {
        isPaused = isPaused || other.isPaused
        band = min(band, other.band)
        waitsUntil = waitsUntil ?? other.waitsUntil
    }
}
