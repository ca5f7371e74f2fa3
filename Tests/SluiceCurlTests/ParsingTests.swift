import SluiceCore
import Testing

@testable import SluiceCurl

/// Lengths, dates and fields as text.
struct ParsingTests {
    @Test(arguments: [
        (["0"], 0), (["20480"], 20_480), ([" 7\t"], 7), (["5", "5"], 5), (["5, 5"], 5), (["007"], 7),
        (["4611686018427387904"], 1 << 62), ([], nil),
    ])
    func lengthsAreRead(values: [String], expected: Int?) throws {
        #expect(try ContentLength.read(values) == expected)
    }

    @Test(arguments: [
        [""], [" "], ["-1"], ["+1"], ["1 2"], ["1x"], ["0x10"], ["1", "2"], ["1,2"], ["1,"], ["١"], ["1.5"],
        ["4611686018427387905"], ["99999999999999999999999"],
    ])
    func nonsenseIsNoLength(values: [String]) {
        let error = #expect(throws: DownloadError.self) { try ContentLength.read(values) }
        #expect(error?.code == .badResponse)
    }

    @Test func ofALongLengthTheBeginningIsSaid() {
        let value = String(repeating: "1", count: 50_000)
        let error = #expect(throws: DownloadError.self) { try ContentLength.read([value]) }
        #expect(error?.message == "the answer has an impossible length: \(value.prefix(99))…")
    }

    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
        ("Fri, 31 Dec 2027 12:00:00 GMT", 1_830_254_400),
    ])
    func datesAreRead(text: String, expected: Int) {
        #expect(HTTPDate.seconds(Array(text.utf8).span) == expected)
    }

    @Test(arguments: ["", "yesterday", "Sun, 06 Nov 1894 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "0"])
    func nonsenseIsNoDate(text: String) {
        #expect(HTTPDate.seconds(Array(text.utf8).span) == nil)
    }

    @Test(arguments: [
        (HeaderField("A", "b"), "A: b"), (HeaderField("A", ""), "A;"), (HeaderField("A", "b\r\nC: d"), "A: bC: d"),
        (HeaderField("A\n", "b\tc\0"), "A: b\tc"),
    ])
    func fieldsAreOneLine(field: HeaderField, expected: String) {
        #expect(CurlOptions.line(field) == expected)
    }

    /// Large buffers would make a slow transfer come in bursts.
    @Test(arguments: [
        (0, 0, 262_144), (0, 2_000, 1_024), (160_000, 0, 10_000), (160_000, 2_000, 1_024), (16_000, 99_999, 1_024),
    ])
    func theSmallerLimitSaysHowMuchIsReadAtOnce(rate: Int, ownRate: Int, size: Int) {
        let state = TransportState()
        state.limits.rate = rate
        #expect(state.bufferSize(decoding: false, ownRate: ownRate) == size)
    }

    @Test func theOriginOfOneURLIsNotTakenForAnothers() {
        let urls = [
            "http://a/x", "http://a", "http://a?q", "http://a#f", "http://a:80/", "http://a:81/", "https://a/x",
            "http://ab/x",
            "http://[::1]:8/x", "http://[::1]/x", "http:///a/x", "http:///b/x", "http:/a/x", "http:/b/x", "http:", "a",
            "",
            "http://a@b/x", "http://a:b@c/x", "http://c/@b/x", "data:,a/b",
        ]
        for first in urls {
            for second in urls {
                let state = TransportState()
                _ = state.origin(of: first)
                #expect(state.origin(of: second) == CurlURL.origin(of: second), "\(first), then \(second)")
            }
        }
    }
}
