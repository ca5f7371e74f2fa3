internal import SluiceCore

/// How long recent downloads of each host took, so that one can be compared with the others.
///
/// Bounded: the last ``sampleLimit`` of each of ``hostLimit`` hosts.
struct HostFigures: Sendable {
    static let hostLimit = 256
    static let sampleLimit = 64

    private struct Samples: Sendable {
        var firstBytes: [Duration] = []
        var totals: [Duration] = []
        var lastUse = 0
    }

    private var hosts: [String: Samples] = [:]
    private var uses = 0

    mutating func add(_ timings: TransferTimings, host: String) {
        uses += 1
        if hosts[host] == nil, hosts.count >= Self.hostLimit,
            let oldest = hosts.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            hosts[oldest] = nil
        }
        var samples = hosts[host] ?? Samples()
        samples.lastUse = uses
        if let firstByte = timings.firstByte { Self.keep(firstByte, in: &samples.firstBytes) }
        Self.keep(timings.total, in: &samples.totals)
        hosts[host] = samples
    }

    /// Median and 95th percentile; `nil` before there is anything to compare.
    func figures(of host: String) -> (firstByte: (Duration, Duration)?, total: (Duration, Duration), count: Int)? {
        guard let samples = hosts[host], let total = Self.percentiles(samples.totals) else { return nil }
        return (Self.percentiles(samples.firstBytes), total, samples.totals.count)
    }

    private static func keep(_ sample: Duration, in samples: inout [Duration]) {
        if samples.count >= sampleLimit { samples.removeFirst() }
        samples.append(sample)
    }

    private static func percentiles(_ samples: [Duration]) -> (Duration, Duration)? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        let last = sorted.count - 1
        return (sorted[last / 2], sorted[(last * 95 + 99) / 100])
    }
}
