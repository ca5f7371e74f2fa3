import SluiceCore
import Testing

struct LocalURLTests {
    @Test(arguments: [
        ("file:///a/b.png", "file:///a/b.png", "b.png"), ("FILE://localhost/a b#x", "file:///a%20b", "a%20b"),
        ("file:/a?q", "file:///a", "a"),
        ("data:,a%20b", "data:,a%20b", ""), ("DATA:text/x;base64,QQ==", "data:text/x;base64,QQ==", ""),
        ("data:a/b/c,d/e", "data:a/b/c,d/e", ""),
    ])
    func localURLsAreNormalised(text: String, url: String, name: String) throws {
        let parsed = try RequestURL(text)

        #expect(parsed.url == url)
        #expect(RequestURL.lastPathPart(of: parsed.url) == name)
        #expect(parsed.host.isEmpty && !parsed.isNetwork && parsed.credentials == nil)
    }

    @Test(arguments: [
        ("data:,A%20b", "A b", "text/plain"), ("data:;charset=x,", "", "text/plain;charset=x"),
        ("data:image/png;base64,QUJD", "ABC", "image/png"), ("data:;base64,QUI", "AB", "text/plain"),
        ("data:a/b;BASE64,Q%3D%3D", "", "?"), ("data:a/b;base64,Q%20U%0AI%3D", "AB", "a/b"),
        ("data:a/b;base64,*", "", "?"),
    ])
    func dataIsWhatItHolds(url: String, content: String, type: String) throws {
        if type == "?" {
            #expect(throws: DownloadError.self) { try LocalURL(url) }
        } else {
            #expect(try LocalURL(url) == .data(Array(content.utf8), mediaType: type))
        }
    }

    @Test func aFileIsItsPath() throws {
        #expect(try LocalURL("file:///a%20b/%C3%A9") == .file(Array("/a b/é".utf8)))
        #expect(throws: DownloadError.self) { try LocalURL("file:///a%00b") }
    }
}
