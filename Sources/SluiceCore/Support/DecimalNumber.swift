/// Numbers with decimals as people write them: digits and one point, no sign and no exponent.
enum DecimalNumber {
    /// Characters that are read at most.
    private static let limit = 30

    static func parse(_ text: some StringProtocol) -> Double? {
        let isPlain = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        guard isPlain, text.utf8.count <= limit, text.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(text.first == "." ? "0" + text : String(text))
    }

    /// The shortest text that is read back as this number; of one that is next to nothing, as much as is read.
    ///
    /// - Parameter number: Not negative. What is no number, or too large for digits alone, is written as Swift does.
    /// - Returns: Digits, and a point where it is not whole.
    static func text(_ number: Double) -> String {
        if let whole = Int(exactly: number) { return "\(whole)" }
        let shortest = "\(number)"
        let halves = shortest.split(separator: "e")
        guard halves.count == 2, number > 0, let power = Int(halves[1]), power < 0 else { return shortest }
        let zeros = String(repeating: "0", count: -power - 1)
        let digits = halves[0].filter { $0 != "." }
        return String("0.\(zeros)\(digits)".prefix(limit))
    }
}
