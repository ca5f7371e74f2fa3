internal import SluiceCore

/// `0.0731` with the given digits.
func fixed(_ value: Double, _ digits: Int = 3) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    guard digits > 0 else { return "\(scaled)" }
    let fraction = String(abs(scaled) % Int(scale))
    let padded = String(repeating: "0", count: digits - fraction.count) + fraction
    return "\(scaled < 0 ? "-" : "")\(abs(scaled) / Int(scale)).\(padded)"
}

extension String {
    /// Padded on the right to a width in characters.
    func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

/// Whether a bound is kept, in a word; one that is missed makes the benchmark end with status 1.
func verdict(_ isKept: Bool) -> String {
    if !isKept { missed.withLock { $0 += 1 } }
    return isKept ? "kept" : "MISSED"
}

/// Bounds that were missed so far.
let missed = Locked(0)
