extension RFC3339 {
    /// Reads what ``text(nanosecondsSince1970:)`` writes, of the years that nanoseconds can count.
    static func nanosecondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00.000Z".utf8)
        guard bytes.count == form.count else { return nil }
        for (byte, expected) in zip(bytes, form) {
            let isFine = expected == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : byte == expected
            if !isFine { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let year = number(0..<4)
        let (month, day) = (number(5..<7), number(8..<10))
        guard (1970..<2262).contains(year), 1...12 ~= month, 1...31 ~= day else { return nil }
        let time = CivilTime(
            year: year,
            month: month,
            day: day,
            hour: number(11..<13),
            minute: number(14..<16),
            second: number(17..<19)
        )
        return Int64(time.secondsSince1970) * 1_000_000_000 + Int64(number(20..<23)) * 1_000_000
    }
}
