/// Median, spread and tail of some figures; of none, zeros.
struct Spread {
    private let sorted: [Double]

    init(_ values: [Double]) { sorted = values.sorted() }

    var median: Double { sorted.isEmpty ? 0 : sorted[sorted.count / 2] }
    var least: Double { sorted.first ?? 0 }
    var greatest: Double { sorted.last ?? 0 }

    /// The smallest figure that so many in a hundred do not exceed.
    ///
    /// - Parameter percent: `1...100`
    /// - Returns: One of the figures.
    func percentile(_ percent: Int) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, (sorted.count * percent + 99) / 100 - 1)]
    }
}
