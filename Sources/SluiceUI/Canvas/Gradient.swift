/// Colours by degree, twelve steps each.
enum Gradient: UInt8, CaseIterable, Sendable {
    /// Task bars.
    case run
    /// Countdowns.
    case wait
    /// Throughput.
    case net
    /// Levels of the cache.
    case zone

    static let steps = 12
}
