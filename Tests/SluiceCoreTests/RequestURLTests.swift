import SluiceCore
import Testing

struct RequestURLTests {
    @Test(arguments: [
        ("http://example.com/cat.png", "http://example.com/cat.png"),
        ("https://example.com/a?b=c&d=%2F%zz", "https://example.com/a?b=c&d=%2F%zz"),
        ("HTTP://EXAMPLE.com/Cat.PNG", "http://example.com/Cat.PNG"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com?x=1", "http://example.com/?x=1"),
        ("http://example.com#top", "http://example.com/"),
        ("http://example.com/a#b?c", "http://example.com/a"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("http://example.com:0080/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:80/a", "https://example.com:80/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
        ("  http://example.com/a \t", "http://example.com/a"),
        ("http://example.com/a b", "http://example.com/a%20b"),
        ("http://example.com/kraków \"x\"", "http://example.com/krak%C3%B3w%20%22x%22"),
        ("http://example.com/猫.png?名=一", "http://example.com/%E7%8C%AB.png?%E5%90%8D=%E4%B8%80"),
        ("http://example.com/{a}|<b>\\^`", "http://example.com/%7Ba%7D%7C%3Cb%3E%5C%5E%60"),
        ("http://bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://BÜCHER.example/x", "http://xn--bcher-kva.example/x"),
        ("http://b%C3%BCcher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://bu\u{308}cher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://vie\u{323}\u{302}t.example/", "http://xn--vit-5kz.example/"),
        ("http://\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}.example/", "http://xn--3e0b707e.example/"),
        ("http://\u{932}\u{921}\u{93C}\u{915}\u{93E}.example/", "http://xn--11bx4czbl.example/"),
        ("http://\u{9B8}\u{9AE}\u{9AF}\u{9BC}.example/", "http://xn--f6bczs.example/"),
        ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://ｅｘａｍｐｌｅ.com/", "http://example.com/"),
        ("http://example.com./a", "http://example.com./a"),
        ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("http://[::ffff:1.2.3.4]/", "http://[::ffff:1.2.3.4]/"),
        ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
        ("http://me@example.com/a", "http://example.com/a"),
        ("http://example.com/a@b:c", "http://example.com/a@b:c"),
        ("http://example.com//a/../b/./c", "http://example.com//a/../b/./c"),
    ])
    func textIsNormalised(text: String, expected: String) throws {
        let url = try RequestURL(text)
        #expect(url.url == expected)
        #expect(try RequestURL(url.url) == RequestURL(expected), "normalising twice changes nothing")
    }

    @Test(arguments: [
        ("http://me:secret@example.com/", "me", "secret"),
        ("http://me@example.com/", "me", ""),
        ("http://m%40e:a%3Ab:c@example.com/", "m@e", "a:b:c"),
        ("http://a@b:c@example.com/", "a@b", "c"),
    ])
    func credentialsAreSplitOff(text: String, user: String, password: String) throws {
        let url = try RequestURL(text)
        #expect(url.credentials == Credentials(user: user, password: password))
        #expect(url.url == "http://example.com/")
    }

    @Test(arguments: [
        ("example.com/cat.png", "did you mean https://example.com/cat.png?"),
        ("localhost:8080/x", "did you mean https://localhost:8080/x?"),
        ("LOCALHOST:8080/x", "did you mean https://LOCALHOST:8080/x?"),
        ("example.com:8080", "did you mean https://example.com:8080?"),
        ("//example.com/x", "did you mean https://example.com/x?"),
        ("https//example.com/x", "did you mean https://example.com/x?"),
        ("http:/example.com/x", "did you mean http://example.com/x?"),
        ("http:example.com", "did you mean http://example.com?"),
        ("htps://example.com", "did you mean https://example.com?"),
        ("ttp://example.com", "did you mean http://example.com?"),
        ("me:1secret@example.com/x", "did you mean https://example.com/x?"),
        ("ftp://example.com/x", "are downloaded, not ftp"),
        ("file://server/share", "file: names a file of this machine"), ("file:", "file:///path"),
        ("file:///", "file:///path"),
        ("file:a/b", "file: needs an absolute path"), ("data:image/png", "data: needs a comma"),
        ("mailto:a@example.com", "only http, https, file and data are downloaded, not mailto"),
        ("mailto:a@b", "downloaded, not mailto"),
        ("", "empty"),
        ("   ", "empty"),
        ("hello", "no URL"),
        ("two words.txt here", "no URL"),
        ("./cat.png", "no URL"),
        ("http://", "names no host"),
        ("http:///", "a whole URL is"),
        ("http://:80/", "names no host"),
        ("http://@/", "names no host"),
        ("http://example.com:0/", "a port is a number"),
        ("http://example.com:65536/", "a port is a number"),
        ("http://example.com:8a/", "a port is a number from 1 to 65535"),
        ("http://me:secret/x@example.com/", "a / in a password is written %2F"),
        ("http://example.com:99999999999999999999/", "a port is a number"),
        ("http://exa mple.com/", "the host name has a"),
        ("http://exa<mple.com/", "the host name has a <"),
        ("http://example..com/", "empty part"),
        ("http://\u{202E}example.com/", "the host name has characters"),
        ("http://%00example.com/", "the host name has a character"),
        ("http://[::1/", "lacks its ]"),
        ("http://[1:2:3]/", "no IPv6 address"),
        ("http://[1::2::3]/", "no IPv6 address"),
        ("http://[::1]x/", "begins with a colon"),
        ("http://example.com/a\r\nHost: evil", "control characters"),
        ("http://example.com/\u{1B}[2J", "control characters"),
        ("http://example.com/a https://example.com/b", "two URLs"),
        ("http://me%0D:x@example.com/", "control characters"),
    ])
    func whatIsNoURLIsRefusedWithAnOffer(text: String, part: String) {
        let error = #expect(throws: DownloadError.self) { try RequestURL(text) }
        #expect(error?.code == .badURL)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") == false)
    }

    @Test func longLabelsAreRefused() throws {
        _ = try RequestURL("http://\(String(repeating: "a", count: 63)).com/")
        #expect(throws: DownloadError.self) { try RequestURL("http://\(String(repeating: "a", count: 64)).com/") }
        #expect(throws: DownloadError.self) { try RequestURL("http://\(String(repeating: "é", count: 70)).com/") }
    }

    @Test(arguments: [
        ("http://Example.com:8080/a/b.png?x=/c", "example.com", "http://example.com:8080", "b.png"),
        ("http://example.com/", "example.com", "http://example.com", ""),
        ("https://[::1]/a%20b", "::1", "https://[::1]", "a%20b"),
        ("https://[0:0:0:0:0:0:0:1]/", "::1", "https://[::1]", ""),
        ("https://[2001:DB8:0::0:1%25eth0]/", "2001:db8::1%25eth0", "https://[2001:db8::1%25eth0]", ""),
        ("https://[::FFFF:1.2.3.4]/", "::ffff:1.2.3.4", "https://[::ffff:1.2.3.4]", ""),
        ("http://127.1:81/", "127.0.0.1", "http://127.0.0.1:81", ""),
        ("http://2130706433/", "127.0.0.1", "http://127.0.0.1", ""),
        ("http://0X7F.0.0.1/", "127.0.0.1", "http://127.0.0.1", ""),
        ("http://0300.0250.1/", "192.168.0.1", "http://192.168.0.1", ""),
        ("http://1.2.3.4/", "1.2.3.4", "http://1.2.3.4", ""),
        // These are names.
        ("http://256.0.0.1/", "256.0.0.1", "http://256.0.0.1", ""),
        ("http://1.2.3.4.5/", "1.2.3.4.5", "http://1.2.3.4.5", ""),
        ("http://09.1.1.1/", "09.1.1.1", "http://09.1.1.1", ""),
        ("http://4294967296/", "4294967296", "http://4294967296", ""),
        ("http://0x/", "0x", "http://0x", ""),
    ])
    func partsAreFound(text: String, host: String, origin: String, last: String) throws {
        let url = try RequestURL(text)
        #expect(url.host == host)
        #expect(url.origin == origin)
        #expect(RequestURL.lastPathPart(of: url.url) == last)
    }

    @Test(arguments: [
        ("http://me:secret@host/x@y", "http://host/x@y"),
        ("me:secret@host", "host"),
        ("nothing here", "nothing here"),
        ("http://host/a@b", "http://host/a@b"),
        ("//me:secret@host/a", "//host/a"),
        ("http:/me:secret@host/a", "host/a"),
        ("mailto:me@example.org", "mailto:me@example.org"),
        ("mailto:me@example.org http://me:secret@b/2", "mailto:me@example.org http://b/2"),
        // Several on a line, wherever the user stands.
        ("http://a/1 http://me:secret@b/2", "http://a/1 http://b/2"),
        ("http://me:secret@a/1 http://b/2", "http://a/1 http://b/2"),
        ("http://me:secret@a/1,http://me:secret@b/2", "http://a/1,http://b/2"),
        ("example.com/?u=http://me:secret@b/", "example.com/?u=http://b/"),
        // What ends a host unless it is escaped.
        ("http://me:se#cret@host/a", "http://host/a"),
        ("http://me:se?cret@host/a", "http://host/a"),
        ("http://me:se/cret@host/a", "http://host/a"),
        ("http://me:se cret@host/a", "http://host/a"),
        // No password: behind a host and its port anything may have a sign.
        ("http://host:80/?mail=a@b", "http://host:80/?mail=a@b"),
        ("http://host/?t=1:2@b", "http://host/?t=1:2@b"),
    ])
    func refusedTextIsShownWithoutCredentials(text: String, expected: String) {
        #expect(RequestURL.withoutCredentials(text) == expected)
    }

    @Test(arguments: [
        ("curl -u me:secret http://h/a", "curl … http://h/a"),
        ("CURL 'https://me:secret@h/a' -H 'Authorization: Bearer secret'", "CURL … https://h/a'"),
        ("wget --password=secret HTTP://h/a http://h/b", "wget … HTTP://h/a http://h/b"),
        ("curl", "curl"), ("http://me:secret@h/ curl", "http://h/ curl"), ("two words", "two words"),
    ])
    func ofACopiedCommandOnlyItsURLsAreShown(text: String, expected: String) {
        #expect(RequestURL.shown(refused: text) == expected)
    }

    @Test(arguments: [
        ("site.example", "https://site.example/"), ("Site.Example/", "https://site.example/"),
        ("site.example:8443", "https://site.example:8443/"), ("site.example:443", "https://site.example/"),
        ("https://site.example", "https://site.example/"), ("https://site.example:8443/", "https://site.example:8443/"),
        ("[2001:DB8::1]:8443", "https://[2001:db8::1]:8443/"), ("127.0.0.1", "https://127.0.0.1/"),
        ("", nil), ("https://", nil), ("site.example/a", nil), ("https://site.example/?a", nil),
        ("http://site.example", nil), ("me:secret@site.example", nil), ("site.example:port", nil),
    ])
    func aHostIsAURLOverHTTPS(text: String, expected: String?) {
        #expect(RequestURL(secureHost: text)?.url == expected)
    }

    /// As a redirect of a hostile server may name it.
    @Test(arguments: [64, 1_000, 100_000]) func marksWithoutEndAreNoHost(count: Int) {
        let text = "http://e\(String(repeating: "\u{301}", count: count)).example/"
        let error = #expect(throws: DownloadError.self) { try RequestURL(text) }
        #expect(error?.code == .badURL)
    }

    @Test func whatNoServerTakesIsRefused() throws {
        let most = "http://a.example/" + String(repeating: "x", count: 1_000_000 - 17)
        #expect(try RequestURL(most).url == most)
        // Plain; with what is no URL; and with what is escaped.
        for long in [most + "x", most + "x\u{1}", "http://a.example/" + String(repeating: "|", count: 333_328)] {
            let error = #expect(throws: DownloadError.self) { try RequestURL(long) }
            #expect(error?.code == .badURL && error?.message.contains("1,000,000 bytes") == true)
        }
        #expect(try RequestURL("data:," + most).url.hasPrefix("data:,"), "is not sent")
    }
}
