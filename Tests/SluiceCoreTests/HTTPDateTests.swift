import SluiceCore
import Testing

struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
    ])
    func allFormsAreRead(text: String, seconds: Int) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "tomorrow", "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 1900 12:00:00 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func allElseIsNoDate(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test func everyDayOfFourHundredYearsComesBack() {
        var expected = CivilTime(year: 1800, month: 1, day: 1)
        var isRight = true
        for day in 0..<146_097 {
            let seconds = (day - 62_091) * 86_400
            if CivilTime(secondsSince1970: seconds) != expected || expected.secondsSince1970 != seconds {
                isRight = false
            }
            expected = dayAfter(expected)
        }
        #expect(isRight)
        #expect(expected == CivilTime(year: 2200, month: 1, day: 1))
    }

    private func dayAfter(_ date: CivilTime) -> CivilTime {
        let isLeap = date.year.isMultiple(of: 4) && (!date.year.isMultiple(of: 100) || date.year.isMultiple(of: 400))
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if date.day < lengths[date.month - 1] {
            return CivilTime(year: date.year, month: date.month, day: date.day + 1)
        }
        if date.month < 12 { return CivilTime(year: date.year, month: date.month + 1, day: 1) }
        return CivilTime(year: date.year + 1, month: 1, day: 1)
    }
}

struct RetryAfterTests {
    @Test(arguments: [
        ("120", 120), (" 0 ", 0), ("99999999999999999999", 31_622_400), ("Sun, 06 Nov 1994 08:49:37 GMT", 37),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
    ])
    func secondsAndDatesAreRead(field: String, seconds: Int) {
        #expect(RetryAfter.parse(field, now: 784_111_740) == .seconds(seconds))
    }

    @Test(arguments: ["", "  ", "soon", "-5", "1.5", "1 2"]) func allElseIsNoWish(field: String) {
        #expect(RetryAfter.parse(field, now: 0) == nil)
    }
}

struct RFC3339Tests {
    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000Z"),
        (784_111_777_123_999_999, "1994-11-06T08:49:37.123Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (4_102_444_800_000_000_000, "2100-01-01T00:00:00.000Z"),
    ])
    func momentsAreWrittenInUTC(nanoseconds: Int64, text: String) {
        #expect(RFC3339.text(nanosecondsSince1970: nanoseconds) == text)
    }
}
