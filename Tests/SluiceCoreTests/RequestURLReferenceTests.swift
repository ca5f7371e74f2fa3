import SluiceCore
import Testing

struct RequestURLReferenceTests {
    /// The examples of RFC 3986 §5.4 that can name something of a server; fragments are dropped, as everywhere.
    @Test(arguments: [
        ("http://h/x", "http://h/x"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
        ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
        ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"), (" g ", "http://a/b/c/g"),
        ("a/b:c", "http://a/b/c/a/b:c"),
    ])
    func aReferenceNamesWhatTheStandardSays(reference: String, url: String) throws {
        #expect(try RequestURL("http://a/b/c/d;p?q").resolving(reference).url == url)
    }

    @Test(arguments: ["mailto:x@y", "http://", "g:h"])
    func whatIsNoURLIsRefused(reference: String) throws {
        let base = try RequestURL("http://a/b/c/d;p?q")
        #expect(throws: DownloadError.self) { try base.resolving(reference) }
    }
}
