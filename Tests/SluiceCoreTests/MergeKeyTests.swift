import SluiceCore
import Testing

struct MergeKeyTests {
    private let url = "http://example.com/"

    @Test func plainKeyIsTheURL() {
        #expect(MergeKey(url: url).text == url)
        #expect(MergeKey(url: url) == MergeKey(url: url, headers: [], credentials: nil))
    }

    @Test func headersCountInAnyOrderAndCase() {
        let first = MergeKey(url: url, headers: [HeaderField("A", "1"), HeaderField("b", "2")])
        let second = MergeKey(url: url, headers: [HeaderField("B", "2"), HeaderField("a", "1")])
        #expect(first == second)
        #expect(first.text == second.text)
        #expect(first != MergeKey(url: url))
    }

    @Test func valuesOfOneHeaderKeepTheirOrder() {
        let first = MergeKey(url: url, headers: [HeaderField("a", "1"), HeaderField("a", "2")])
        #expect(first != MergeKey(url: url, headers: [HeaderField("a", "2"), HeaderField("a", "1")]))
    }

    @Test func usersDoNotShareAKey() {
        let keys = [("a", "b"), ("a", "c"), ("ab", ""), ("", "ab")].map {
            MergeKey(url: url, credentials: Credentials(user: $0.0, password: $0.1))
        }
        #expect(Set(keys).count == 4)
        #expect(Set(keys.map(\.text)).count == 4)
    }

    /// Alone, and beside something else.
    @Test func whatTheBodyMustBeAndWhoIsTrustedCount() {
        let field = [HeaderField("a", "1")]
        let keys = [
            MergeKey(url: url), MergeKey(url: url, sha256: "1"), MergeKey(url: url, sha256: "2"),
            MergeKey(url: url, trust: "1"), MergeKey(url: url, trust: "2"),
            MergeKey(url: url, trust: "1", sha256: "1"), MergeKey(url: url, trust: "2", sha256: "1"),
            MergeKey(url: url, headers: field), MergeKey(url: url, headers: field, trust: "1"),
            MergeKey(url: url, headers: field, trust: "2"), MergeKey(url: url, headers: field, sha256: "1"),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.text)).count == keys.count)
    }

    @Test func textEndsInEightDigits() {
        let text = MergeKey(url: url, headers: [HeaderField("accept", "image/png")]).text
        let digits = text.dropFirst(url.count + 2)
        #expect(text.hasPrefix(url + " #"))
        #expect(digits.count == 8 && digits.allSatisfy(\.isHexDigit))
    }

    @Test func whatWasAskedForOnceIsNoBodyOfItsURL() {
        let (more, once) = (MergeKey(url: url, trust: "pins"), MergeKey(url: url, trust: "pins", distinct: 1))
        let (known, kept) = (MergeKey.Text(more.historyText), MergeKey.Text(once.historyText))
        #expect(known.urlOfMore == url && known.urlOfOnce == nil && more.historyText == more.text)
        #expect(kept.urlOfMore == nil && kept.urlOfOnce == url)
        #expect(MergeKey.Text(once.text).urlOfMore == url, "as people see it")
        #expect(MergeKey.Text(url).urlOfMore == nil && MergeKey.Text(url).urlOfOnce == nil)
    }

    @Test(arguments: [MergeKey(url: "http://h/a"), MergeKey(url: "http://h/a", trust: "pins")])
    func aKeyIsFoundByWhatAnotherSessionKnowsOfIt(key: MergeKey) {
        let known = MergeKey.Text(key.text)
        #expect(known == key.indexedText)
        #expect(known.hashValue == key.indexedText.hashValue)
        #expect(known != MergeKey(url: "http://h/b").indexedText)
    }
}
