/// Reads the three forms of dates in HTTP, strictly.
///
/// - SeeAlso: RFC 9110 §5.6.7
public enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let weekdays: Set<Substring> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///
    /// A year of two digits is one of 1970 to 2069. The name of the day is not checked
    /// against the date.
    ///
    /// - Returns: Seconds since 1970, or `nil` for anything else.
    public static func parse(_ text: String) -> Int? {
        // Nearly all have the first form, which is read without making strings.
        fixed(text.utf8.span) ?? general(text)
    }

    /// The same for the bytes of a field that dates a file or an answer.
    ///
    /// - Parameter text: Without blanks around it.
    /// - Returns: Seconds since 1970; `nil` too for what is earlier, or later than clocks count in nanoseconds.
    public static func seconds(_ text: Span<UInt8>) -> Int? {
        any(text).flatMap { (0...9_000_000_000).contains($0) ? $0 : nil }
    }

    /// Whether the bytes are a date at all, however far away.
    public static func isDate(_ text: Span<UInt8>) -> Bool { any(text) != nil }

    private static func any(_ text: Span<UInt8>) -> Int? {
        unsafe fixed(text) ?? general(text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) })
    }

    private static func fixed(_ text: Span<UInt8>) -> Int? {
        guard text.count == 29, text[3] == UInt8(ascii: ","), text[4] == 32, text[7] == 32, text[11] == 32,
            text[16] == 32, text[19] == UInt8(ascii: ":"), text[22] == UInt8(ascii: ":"), text[25] == 32,
            text[26] == UInt8(ascii: "G"), text[27] == UInt8(ascii: "M"), text[28] == UInt8(ascii: "T"),
            let day = number(text, 5..<7), let month = month(text, at: 8), let year = number(text, 12..<16),
            let hour = number(text, 17..<19), let minute = number(text, 20..<22), let second = number(text, 23..<25),
            day < 32, day > 0, hour < 24, minute < 60, second < 60
        else { return nil }
        let date = CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        let seconds = date.secondsSince1970
        // The 31st of a shorter month comes back as another day.
        return day < 29 || CivilTime(secondsSince1970: seconds) == date ? seconds : nil
    }

    private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var number = 0
        for index in range {
            guard 0x30...0x39 ~= text[index] else { return nil }
            number = number * 10 + Int(text[index] - 0x30)
        }
        return number
    }

    private static func month(_ text: Span<UInt8>, at start: Int) -> Int? {
        switch (text[start] | 32, text[start + 1], text[start + 2]) {
        case (UInt8(ascii: "j"), UInt8(ascii: "a"), UInt8(ascii: "n")): 1
        case (UInt8(ascii: "f"), UInt8(ascii: "e"), UInt8(ascii: "b")): 2
        case (UInt8(ascii: "m"), UInt8(ascii: "a"), UInt8(ascii: "r")): 3
        case (UInt8(ascii: "a"), UInt8(ascii: "p"), UInt8(ascii: "r")): 4
        case (UInt8(ascii: "m"), UInt8(ascii: "a"), UInt8(ascii: "y")): 5
        case (UInt8(ascii: "j"), UInt8(ascii: "u"), UInt8(ascii: "n")): 6
        case (UInt8(ascii: "j"), UInt8(ascii: "u"), UInt8(ascii: "l")): 7
        case (UInt8(ascii: "a"), UInt8(ascii: "u"), UInt8(ascii: "g")): 8
        case (UInt8(ascii: "s"), UInt8(ascii: "e"), UInt8(ascii: "p")): 9
        case (UInt8(ascii: "o"), UInt8(ascii: "c"), UInt8(ascii: "t")): 10
        case (UInt8(ascii: "n"), UInt8(ascii: "o"), UInt8(ascii: "v")): 11
        case (UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "c")): 12
        default: nil
        }
    }

    private static func general(_ text: String) -> Int? {
        var parts = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }
        guard let weekday = parts.first, weekdays.contains(weekday.prefix(3)) else { return nil }
        parts.removeFirst()
        // The form of asctime names no zone.
        if parts.last == "gmt" || parts.last == "utc" {
            parts.removeLast()
        } else if parts.first?.first?.isNumber == true {
            return nil
        }
        guard parts.count == 4 else { return nil }
        if parts[0].first?.isNumber == true {
            return seconds(day: parts[0], month: parts[1], year: parts[2], time: parts[3])
        }
        return seconds(day: parts[1], month: parts[0], year: parts[3], time: parts[2])
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, time: Substring) -> Int? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 2, 0...23), let minute = number(clock[1], 2, 0...59),
            let second = number(clock[2], 2, 0...60), let month = months.firstIndex(of: String(month)),
            let day = number(day, 2, 1...31), var year = number(year, 4, 0...9999), year < 100 || year > 999
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        var date = CivilTime(year: year, month: month + 1, day: day, hour: hour, minute: minute)
        let seconds = date.secondsSince1970
        date.second = 0
        // The 31st of a shorter month comes back as another day.
        return CivilTime(secondsSince1970: seconds) == date ? seconds + second : nil
    }

    private static func number(_ text: Substring, _ digits: Int, _ range: ClosedRange<Int>) -> Int? {
        guard 1...digits ~= text.utf8.count, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let value = Int(text) else {
            return nil
        }
        return range.contains(value) ? value : nil
    }
}
