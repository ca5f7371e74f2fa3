import SluiceCore
import Testing

struct HeaderFieldTests {
    @Test(arguments: [
        ("Location", "http://u:pw@h/a?b=c@d", "http://h/a?b=c@d"), ("location", "//u:p@w@h", "//h"),
        ("Location", "https:///u:pw@h/", "https:///h/"), ("Location", "http:\\\\u:pw@h\\a", "http:\\\\h\\a"),
        ("Location", "/users/@me", "/users/@me"), ("Location", "/a//b@c", "/a//b@c"),
        ("Location", "mailto:a@b.example", "mailto:a@b.example"), ("Location", "http://h/@b", "http://h/@b"),
        ("Location", "http://h?u=//a:b@c", "http://h?u=//c"), ("Location", "", ""), ("Location", "//@", "//"),
        ("Content-Location", "/cache/http://u:pw@h/", "/cache/http://h/"),
        (
            "Link", "<http://u:pw@h/>; rel=\"next\", <//v:pw@h/2>; title=\"a@b\"",
            "<http://h/>; rel=\"next\", <//h/2>; title=\"a@b\""
        ),
        ("Refresh", "0; url=http://u:pw@h/", "0; url=http://h/"), ("Refresh", "0;url='//u;x:pw@h/'", "0;url='//h/'"),
        ("Location", "http:/u:pw@127.0.0.1/x", "http:/127.0.0.1/x"), ("Location", "HTTPS:/u:pw@h", "HTTPS:/h"),
        ("Location", "http://u:p w@h/a@b", "http://h/a@b"), ("Location", "http://u:p<w@h", "http://h"),
        ("Content-Location", "http://u:p\"w@h/", "http://h/"), ("Location", "/a:/b@c", "/a:/b@c"),
        ("Link", "<http:/u:pw@h/>; title=\"a@b\"", "<http:/h/>; title=\"a@b\""),
        ("Refresh", "0; url=http://h x@y", "0; url=http://h x@y"),
        ("X-Note", "http://u:pw@h/", "http://u:pw@h/"),
    ])
    func credentialsInURLsAreNotShown(name: String, value: String, shown: String) {
        #expect(HeaderField(name, value).shownValue == shown)
    }
}
