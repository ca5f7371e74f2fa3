import SluiceCore
import Testing

struct KeyFilterTests {
    @Test(arguments: [
        ("http://h/a", ["t"], "http://h/a"), ("http://h/a?t=1", ["t"], "http://h/a"),
        ("http://h/a?x=1&t=2&y=3", ["t"], "http://h/a?x=1&y=3"), ("http://h/a?t", ["t"], "http://h/a"),
        ("http://h/a?tt=1&t%20u=2", ["t", "t u"], "http://h/a?tt=1"),
        ("http://h/a?%74=1&b=%26t=", ["t"], "http://h/a?b=%26t="),
        ("http://h/a?x=1&y=2", ["*"], "http://h/a"), ("http://h/a?", ["*"], "http://h/a"),
        ("data:text/plain?x=1,a", ["*"], "data:text/plain?x=1,a"), ("file:///a?x=1", ["x"], "file:///a?x=1"),
        ("http://h/a?x=1", [], "http://h/a?x=1"), ("http://h/a?&&t=1&", ["t"], "http://h/a?&&"),
    ])
    func namedItemsAreLeftOut(url: String, names: [String], key: String) {
        #expect(KeyFilter(names).key(for: url) == key)
    }
}
