extension RFC3339 {
    /// Reads a moment as any program may write it: with or without a fraction of a second, in any time zone.
    ///
    /// What is below a nanosecond is cut off, and a leap second is the start of the next one.
    ///
    /// - Parameter text: Of the years that nanoseconds can count, 1970 to 2261.
    /// - Returns: `nil` where it is no such moment.
    /// - SeeAlso: RFC 3339 §5.6
    static func nanosecondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard matches(bytes.prefix(19), "0000-00-00T00:00:00") else { return nil }
        let time = CivilTime(
            year: number(bytes[0..<4]),
            month: number(bytes[5..<7]),
            day: number(bytes[8..<10]),
            hour: number(bytes[11..<13]),
            minute: number(bytes[14..<16]),
            second: number(bytes[17..<19])
        )
        guard (1970..<2262).contains(time.year), 1...12 ~= time.month, 1...31 ~= time.day, time.hour <= 23,
            time.minute <= 59, time.second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
            if digits.isEmpty { return nil }
            fraction = number(Array(digits.prefix(9)) + Array(repeating: 0x30, count: max(0, 9 - digits.count)))
            rest = rest[digits.endIndex...]
        }
        guard let offset = secondsEast(rest) else { return nil }
        return Int64(time.secondsSince1970 - offset) * 1_000_000_000 + Int64(fraction)
    }

    /// - Returns: How far a zone is before UTC; `nil` where it is none.
    private static func secondsEast(_ zone: ArraySlice<UInt8>) -> Int? {
        if zone.count == 1, matches(zone, "Z") { return 0 }
        guard let sign = zone.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign),
            matches(zone.dropFirst(), "00:00")
        else { return nil }
        let (hours, minutes) = (number(zone.dropFirst().prefix(2)), number(zone.suffix(2)))
        guard hours <= 23, minutes <= 59 else { return nil }
        return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    /// Whether bytes have a form, in which `0` stands for any digit and letters for those of either case.
    private static func matches(_ bytes: ArraySlice<UInt8>, _ form: String) -> Bool {
        bytes.count == form.utf8.count
            && zip(bytes, form.utf8).allSatisfy { byte, expected in
                if expected == UInt8(ascii: "0") { return 0x30...0x39 ~= byte }
                let isLetter = 0x41...0x5A ~= expected
                return (isLetter ? byte & ~0x20 : byte) == expected
            }
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
