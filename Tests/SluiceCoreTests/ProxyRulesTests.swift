import SluiceCore
import Testing

struct ProxyRulesTests {
    private func rules(
        _ environment: [String: String],
        named: String? = nil,
        fallback: String? = nil
    ) throws -> ProxyRules {
        try ProxyRules(named: named, environment: { environment[$0] }, fallback: fallback)
    }

    @Test(arguments: [
        ("proxy", "http://proxy:1080", "-"), ("http://Proxy:3128/", "http://proxy:3128", "-"),
        ("proxy:80", "http://proxy:80", "-"),
        ("https://p", "https://p:443", "-"), ("socks5h://u:p%40w@h:9", "socks5h://h:9", "u p@w"),
        ("socks4a://[::1]:9", "socks4a://[::1]:9", "-"), ("SOCKS5://h", "socks5://h:1080", "-"),
        ("http://u@h", "http://h:1080", "u "),
    ])
    func aProxyIsRead(text: String, url: String, user: String) throws {
        let proxy = try ProxyServer(text)

        #expect(proxy.url == url)
        #expect(proxy.credentials.map { "\($0.user) \($0.password)" } ?? "-" == user)
    }

    @Test(arguments: ["ftp://h:1", "http://h/path", "http://", "", "http://u:secret@h:port", "socks5:/h"])
    func whatIsNoProxyIsRefusedWithoutItsPassword(text: String) {
        let error = #expect(throws: DownloadError.self) { try ProxyServer(text) }

        #expect(error?.message.contains("secret") == false)
    }

    @Test func eachSchemeHasItsVariable() throws {
        let both = ["http_proxy": "one:1", "HTTPS_PROXY": "two:2"]
        let rules = try rules(both)
        #expect(rules.proxy(forHost: "a", isSecure: false)?.host == "one")
        #expect(rules.proxy(forHost: "a", isSecure: true)?.host == "two")
        let all = try self.rules(["ALL_PROXY": "all:3", "https_proxy": ""])
        #expect(all.proxy(forHost: "a", isSecure: false)?.host == "all")
        #expect(try self.rules(["HTTP_PROXY": "evil:1"]).isEmpty, "in a CGI program that is a header of the request")
    }

    @Test func theOptionWinsOverTheEnvironmentAndThatOverTheFile() throws {
        let environment = ["http_proxy": "one:1"]
        #expect(try rules(environment, named: "named:2", fallback: "file:3").http?.host == "named")
        #expect(try rules(environment, fallback: "file:3").http?.host == "one")
        #expect(try rules(environment, fallback: "file:3").https?.host == "file", "nothing may pass a proxy by")
        #expect(try rules(["http_proxy": ""], fallback: "file:3").http == nil, "an empty one says that there is none")
        #expect(try rules(["https_proxy": "", "all_proxy": "all:4"], fallback: "file:3").https == nil)
        #expect(try rules(["all_proxy": ""], fallback: "file:3").isEmpty)
        #expect(try rules([:], fallback: "file:3").https?.host == "file")
        #expect(try rules(environment, named: "").isEmpty)
    }

    @Test func theTextTellsRulesApartAndNoPassword() throws {
        let lists = ["*", "a.example", "10.0.0.0/8", "10.0.0.0/9", "::1", "a.example b.example"]
        var all = try lists.map { try rules(["no_proxy": $0], named: "p:1") }
        all += try [
            rules([:]), rules([:], named: "p:1"), rules([:], named: "p:2"), rules([:], named: "u:secret@p:1"),
            rules(["http_proxy": "p:1"]), rules(["https_proxy": "p:1"]),
        ]
        #expect(Set(all.map(\.text)).count == all.count)
        #expect(try rules(["no_proxy": "a.example"]).text == "")
        #expect(try rules([:], named: "u:secret@p:1").text == rules([:], named: "u:other@p:1").text)
    }

    @Test func badValuesNameTheirSource() {
        for (source, environment, named) in [
            ("https_proxy", ["https_proxy": "ftp://x"], String?.none), ("--proxy", [:], "ftp://x"),
        ] {
            let error = #expect(throws: DownloadError.self) { try rules(environment, named: named) }
            #expect(error?.message.hasPrefix("\(source): a proxy is http, https") == true, "\(error?.message ?? "")")
        }
    }

    @Test(arguments: [
        ("a.example", "a.example", true), ("a.example", "b.a.example", true), (".a.example", "a.example", true),
        ("a.example", "ba.example", false), ("x, a.example ", "a.example.", true), ("*", "anything", true),
        ("*.a", "b.a", true),
        ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "128.0.0.1", false), ("10.0.0.1", "10.0.0.1", true),
        ("::1", "[::1]", true), ("[0:0::1]", "::1", true), ("::1/128", "[::1]", true),
        ("::1/128", "[::2]", false),
        ("[::]/0", "[2001:db8::1]", true), ("[::]/0", "10.0.0.1", false), ("0.0.0.0/0", "[::1]", false),
        ("2001:DB8::/32", "[2001:db8:1::1]", true), ("2001:db8::/32", "[2001:db9::1]", false),
        ("fe80::/10", "[fe80::1%eth0]", true), ("::1/129", "[::1]", false), ("127.1", "127.0.0.1", true),
        ("0x7f.0.0.1", "127.0.0.1", true), ("0.1", "10.0.0.1", false), ("", "a", false),
        ("A.Example", "a.example", true), ("bücher.example", "xn--bcher-kva.example", true),
        (".BÜCHER.example", "a.xn--bcher-kva.example", true), ("b\u{202E}.example", "b.example", false),
    ])
    func someHostsAreAskedDirectly(list: String, host: String, isDirect: Bool) throws {
        let rules = try rules(["no_proxy": list], named: "p:1")

        #expect((rules.proxy(forHost: host, isSecure: false) == nil) == isDirect)
    }
}
