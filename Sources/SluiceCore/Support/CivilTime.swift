/// A moment as date and time of day in UTC, by the Gregorian calendar.
///
/// - SeeAlso: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
public struct CivilTime: Equatable, Sendable {
    /// Of the Gregorian calendar, also before it was made.
    public var year: Int
    /// From 1 to 12.
    public var month: Int
    /// From 1 to 31.
    public var day: Int
    /// From 0 to 23.
    public var hour: Int
    /// From 0 to 59.
    public var minute: Int
    /// From 0 to 60.
    public var second: Int

    /// A date, at midnight unless told otherwise; nothing is checked.
    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The moment so many seconds after 1970 began; leap seconds are not counted.
    public init(secondsSince1970 seconds: Int) {
        let ofDay = Self.modulo(seconds, 86_400)
        // Years begin in March here, so that leap days come last; eras of 400 years are all alike.
        let days = (seconds - ofDay) / 86_400 + 719_468
        let dayOfEra = Self.modulo(days, 146_097)
        let era = (days - dayOfEra) / 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (ofDay / 3600, ofDay / 60 % 60, ofDay % 60)
    }

    /// Seconds since 1970 began, without leap seconds; negative before it.
    public var secondsSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = Self.modulo(shiftedYear, 400)
        let era = (shiftedYear - yearOfEra) / 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func modulo(_ value: Int, _ divisor: Int) -> Int {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
