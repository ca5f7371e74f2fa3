internal import SluiceCore

/// How long recent downloads of each host took, so that one can be compared with the others.
///
/// Bounded: the last ``sampleLimit`` of each phase, of each of ``hostLimit`` hosts, which is 600 KB.
struct HostFigures: Sendable {
    static let hostLimit = 256
    static let sampleLimit = 64

    /// What is usual, and what only one in twenty exceeds.
    struct Spread: Equatable, Sendable {
        var median: Duration
        var high: Duration
    }

    /// The last samples of one phase; a new one takes the place of the oldest.
    private struct Ring: Sendable {
        /// In tenths of a millisecond: the screen shows no more, and five days fit.
        private var ticks: [UInt32] = []
        private var next = 0

        var count: Int { ticks.count }

        mutating func add(_ sample: Duration) {
            let tick = UInt32(clamping: max(0, sample.nanoseconds) / 100_000)
            guard ticks.count == sampleLimit else { return ticks.append(tick) }
            ticks[next] = tick
            next = (next + 1) % sampleLimit
        }

        var spread: Spread? {
            guard !ticks.isEmpty else { return nil }
            let sorted = ticks.sorted()
            let last = sorted.count - 1
            func duration(_ index: Int) -> Duration { .microseconds(Int64(sorted[index]) * 100) }
            return Spread(median: duration(last / 2), high: duration((last * 95 + 99) / 100))
        }
    }

    private struct Samples: Sendable {
        var phases = Array(repeating: Ring(), count: TaskPhase.allCases.count)
        var totals = Ring()
        var lastUse = 0
    }

    private var hosts: [String: Samples] = [:]
    private var uses = 0

    /// Takes where the time of a task went that succeeded.
    mutating func add(_ timings: TaskEnd.Timings, host: String) {
        uses += 1
        if hosts[host] == nil, hosts.count >= Self.hostLimit,
            let oldest = hosts.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            hosts[oldest] = nil
        }
        var samples = hosts.removeValue(forKey: host) ?? Samples()
        samples.lastUse = uses
        samples.totals.add(timings.transfer.total)
        for (phase, length) in timings.durations { samples.phases[phase.rawValue].add(length) }
        hosts[host] = samples
    }

    /// Of whole transfers, and how many they are; `nil` before there is anything to compare.
    func total(of host: String) -> (spread: Spread, count: Int)? {
        guard let totals = hosts[host]?.totals, let spread = totals.spread else { return nil }
        return (spread, totals.count)
    }

    /// Of one phase; `nil` unless it happened twice, so that there is something to compare.
    func spread(of phase: TaskPhase, host: String) -> Spread? {
        guard let samples = hosts[host]?.phases[phase.rawValue], samples.count > 1 else { return nil }
        return samples.spread
    }
}
