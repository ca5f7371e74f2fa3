internal import CCurl

/// Reads dates of HTTP.
///
/// Nearly all have the one form that RFC 9110 prescribes, `Sun, 06 Nov 1994 08:49:37 GMT`,
/// which is read without curl's general and much slower parser; that one gets the rest.
enum HTTPDate {
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Reads a date.
    ///
    /// - Parameter text: Ends with a zero byte.
    /// - Returns: Seconds since 1970; `nil` if it is no date, or an earlier one.
    static func seconds(_ text: UnsafePointer<CChar>) -> Int? {
        let seconds = unsafe fixed(text) ?? curl_getdate(text, nil)
        return seconds >= 0 ? seconds : nil
    }

    /// Reads the one form; `nil` if the text has another.
    private static func fixed(_ text: UnsafePointer<CChar>) -> Int? {
        var length = 0
        while length < 30, unsafe text[length] != 0 { length += 1 }
        guard length == 29, unsafe text[3] == 44, unsafe text[25] == 32, unsafe text[26] == 71,
            let month = unsafe month(text + 8), let day = unsafe number(text + 5, digits: 2),
            let year = unsafe number(text + 12, digits: 4), let hour = unsafe number(text + 17, digits: 2),
            let minute = unsafe number(text + 20, digits: 2), let second = unsafe number(text + 23, digits: 2),
            day > 0, day < 32, hour < 24, minute < 60, second < 61
        else { return nil }
        return ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func number(_ text: UnsafePointer<CChar>, digits: Int) -> Int? {
        var number = 0
        for index in 0..<digits {
            let digit = unsafe text[index]
            guard (48...57).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return number
    }

    /// From 1.
    private static func month(_ text: UnsafePointer<CChar>) -> Int? {
        let names = unsafe UnsafeRawPointer(months.utf8Start).assumingMemoryBound(to: CChar.self)
        return (0..<12).first { month in
            (0..<3).allSatisfy { unsafe names[month * 3 + $0] == text[$0] }
        }
        .map { $0 + 1 }
    }

    /// Days since 1970, in the Gregorian calendar; years count from March, so that the leap day is the last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
