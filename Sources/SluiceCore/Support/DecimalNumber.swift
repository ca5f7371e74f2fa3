/// Numbers with decimals as people write them: digits and one point, no sign and no exponent.
enum DecimalNumber {
    static func parse(_ text: some StringProtocol) -> Double? {
        let isPlain = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
        guard isPlain, text.utf8.count <= 30, text.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else { return nil }
        return Double(text.first == "." ? "0" + text : String(text))
    }
}
