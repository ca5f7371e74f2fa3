import CCurl
import Testing

@testable import SluiceCurl

/// A handle's URL is the one that was set last, whatever was set before.
struct ParsedURLTests {
    private let urls = [
        "http://a.example/", "http://a.example", "http://a.example/one", "http://a.example/one/two.jpg",
        "http://a.example/one/../two", "http://a.example/.hidden", "http://a.example/./x", "http://a.example/a..b",
        "http://a.example/one?q=1", "http://a.example?q", "http://a.example/one#part", "http://a.example/%2E%2e/%7Ex",
        "http://a.example/a%20b", "http://a.example/a b", "http://a.example/\u{E9}", "http://a.example/~x_-.y",
        "http://a.example//two", "http://a.example/a;b,c", "http://a.example:81/one", "https://a.example/one",
        "http://b.example/one", "http://[::1]:8080/one", "http://a.example.evil/one", "http:///one", "nonsense",
        "http://a.example:99999/one", "",
    ]

    @Test func everyURLIsReadAsIfItWereTheFirst() {
        let parsed = ParsedURL()
        for first in urls {
            for second in urls {
                _ = parsed.set(first)
                let isSet = parsed.set(second)
                let fresh = ParsedURL()
                #expect(isSet == fresh.set(second))
                if isSet { #expect(text(parsed) == text(fresh), "\(second) after \(first)") }
            }
        }
    }

    private func text(_ url: ParsedURL) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url.parsed, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text else {
            return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
