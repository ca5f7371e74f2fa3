import SluiceCore
import Testing

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
