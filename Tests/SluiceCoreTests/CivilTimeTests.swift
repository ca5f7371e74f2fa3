import SluiceCore
import Testing

struct CivilTimeTests {
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
