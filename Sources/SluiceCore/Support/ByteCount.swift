/// Sizes as people write and read them.
public enum ByteCount {
    private static let units = ["", "K", "M", "G", "T"]
    /// The largest that is read, so that a few of them can be added up.
    static let largest = 1 << 62

    /// Parses an integer in bytes, or a number with `K`, `M`, `G`, `T` or `KiB` …, all 1024-based.
    ///
    /// - Returns: `nil` for anything else, negative numbers, and what does not fit in 62 bits.
    public static func parse(_ text: some StringProtocol) -> Int? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var unit = text[number.endIndex...].drop { $0 == " " }.uppercased()
        if unit.hasSuffix("IB") { unit.removeLast(2) } else if unit.hasSuffix("B") { unit.removeLast() }
        guard let power = units.firstIndex(of: unit), !(unit.isEmpty && text.uppercased().hasSuffix("IB")) else {
            return nil
        }
        let factor = 1 << (10 * power)
        if let whole = Int(number) {
            let (product, hasOverflown) = whole.multipliedReportingOverflow(by: factor)
            return hasOverflown || product > largest ? nil : product
        }
        guard power > 0, let fraction = DecimalNumber.parse(number), fraction * Double(factor) < Double(largest) else {
            return nil
        }
        return Int((fraction * Double(factor)).rounded())
    }

    /// Writes a size in the unit that suits it, with one decimal where it is not whole: `1.5 MiB`.
    public static func text(_ count: Int) -> String {
        var (value, power) = (Double(max(0, count)), 0)
        while value >= 1023.95, power < units.count - 1 { (value, power) = (value / 1024, power + 1) }
        let tenths = Int((value * 10).rounded())
        let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(units[power])\(power == 0 ? "B" : "iB")"
    }
}
