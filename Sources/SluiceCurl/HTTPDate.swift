internal import CCurl

/// Reads dates of HTTP.
///
/// Nearly all have the one form that RFC 9110 prescribes, `Sun, 06 Nov 1994 08:49:37 GMT`,
/// which is read without curl's general and much slower parser; that one gets the rest.
enum HTTPDate {
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads a date.
    ///
    /// - Parameter text: The bytes, without blanks around them.
    /// - Returns: Seconds since 1970; `nil` if it is no date, or an earlier one.
    static func seconds(_ text: Span<UInt8>) -> Int? {
        let seconds = unsafe fixed(text) ?? curl_getdate(text.text, nil)
        // Later than any clock of today can count in nanoseconds is as good as none.
        return (0...9_000_000_000).contains(seconds) ? seconds : nil
    }

    /// Reads the one form; `nil` if the text has another.
    private static func fixed(_ text: Span<UInt8>) -> Int? {
        guard text.count == 29, text[3] == UInt8(ascii: ","), text.extracting(last: 4).isEqual(to: " GMT"),
            let month = month(text.extracting(8..<11)), let day = number(text.extracting(5..<7)),
            let year = number(text.extracting(12..<16)), let hour = number(text.extracting(17..<19)),
            let minute = number(text.extracting(20..<22)), let second = number(text.extracting(23..<25)),
            day > 0, day < 32, hour < 24, minute < 60, second < 61
        else { return nil }
        return ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func number(_ digits: Span<UInt8>) -> Int? {
        var number = 0
        for index in digits.indices {
            guard (48...57).contains(digits[index]) else { return nil }
            number = number * 10 + Int(digits[index] - 48)
        }
        return number
    }

    /// From 1.
    private static func month(_ name: Span<UInt8>) -> Int? {
        for (index, month) in months.enumerated() where name.isEqual(to: month) { return index + 1 }
        return nil
    }

    /// Days since 1970, in the Gregorian calendar; years count from March, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
