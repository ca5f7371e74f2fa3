import Testing

@testable import SluiceCore

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

    @Test(arguments: [
        ("1994-11-06T08:49:37.123Z", 123_000_000), ("1994-11-06T08:49:37Z", 0), ("1994-11-06t08:49:37.5z", 500_000_000),
        ("1994-11-06T08:49:37.1234567899Z", 123_456_789), ("1994-11-06T10:19:37.1+01:30", 100_000_000),
        ("1994-11-05T23:49:37-09:00", 0), ("1994-11-06T08:49:37+00:00", 0),
    ])
    func momentsAreReadInEveryForm(text: String, fraction: Int64) {
        #expect(RFC3339.nanosecondsSince1970(text) == 784_111_777_000_000_000 + fraction)
    }

    @Test(arguments: [
        "", "1994-11-06", "1994-11-06T08:49Z", "1994-11-06T08:49:37", "1994-11-06 08:49:37Z", "1994-11-06T08:49:37.Z",
        "1994-13-06T08:49:37Z", "1994-11-06T24:49:37Z", "1994-11-06T08:60:37Z", "1994-11-06T08:49:61Z",
        "1994-11-06T08:49:37+0100", "1994-11-06T08:49:37+01:60", "1994-11-06T08:49:37Zx", "1969-12-31T23:59:59Z",
        "2262-01-01T00:00:00Z", "１994-11-06T08:49:37Z",
    ])
    func whatIsNoMomentIsNotRead(text: String) {
        #expect(RFC3339.nanosecondsSince1970(text) == nil)
    }
}
