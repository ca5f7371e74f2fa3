import CCurl
import SluiceCore
import Testing

@testable import SluiceCurl

struct RedirectionTests {
    /// RFC 9110 §15.4: what is asked at the place a redirect names.
    @Test(arguments: [
        ("GET", 301, "GET", true), ("GET", 303, "GET", true), ("GET", 307, "GET", true), ("HEAD", 302, "HEAD", true),
        ("HEAD", 303, "HEAD", true), ("POST", 301, "GET", false), ("POST", 302, "GET", false),
        ("POST", 303, "GET", false),
        ("POST", 307, "POST", true), ("POST", 308, "POST", true), ("PUT", 301, "PUT", true), ("PUT", 303, "GET", false),
        ("DELETE", 302, "DELETE", true), ("DELETE", 308, "DELETE", true),
    ])
    func aRedirectKeepsTheMethodOrLooksAtTheOutcome(method: String, status: Int, then: String, keeps: Bool) throws {
        var redirection = Redirection(url: "http://a/", method: method)

        try redirection.follow("/b", status: status, limit: 20, allowsDowngrade: false)

        #expect(redirection.method == then)
        #expect(redirection.keepsBody == keeps)
    }

    /// Another port is of the same host; what is said in clear on the way to it can be heard by others.
    @Test(arguments: [
        ("https://h/a", "http://h/b", true), ("https://h/a", "https://h:8443/b", false),
        ("http://h/a", "https://h:8443/b", false), ("https://h/a", "https://other/b", true),
    ])
    func aHostIsLeftForAnotherNameAndForClearText(url: String, location: String, isLeft: Bool) throws {
        var redirection = Redirection(url: url)

        try redirection.follow(location, limit: 9, allowsDowngrade: true)

        #expect(redirection.hasLeftHost == isLeft)
        #expect(redirection.hasLeftOrigin)
    }

    @Test(arguments: [("", "http://a/x"), ("?q=1", "http://a/x?q=1"), ("http://b/", "http://b/")])
    func theLastOfTooManyIsNamedAsThePlaceThatItMeans(location: String, place: String) {
        var redirection = Redirection(url: "http://a/x")
        let error = #expect(throws: DownloadError.self) {
            try redirection.follow(location, limit: 0, allowsDowngrade: false)
        }
        #expect(error?.message.hasSuffix("the last to \(place)") == true, "\(error?.message ?? "")")
    }

    /// RFC 3986 §5.2.2.
    @Test func anEmptyPlaceIsWhereOneIs() {
        #expect(CurlURL.resolve("", against: "http://h/em/pty?x=1#f")?.url == "http://h/em/pty?x=1")
        #expect(CurlURL.resolve("#top", against: "http://h/em/pty?x=1#f")?.url == "http://h/em/pty?x=1")
    }

    /// As it is written in URLs of the user's; curl makes plus signs of those in a query.
    @Test func aBlankIsWrittenInOneWay() {
        #expect(CurlURL.resolve("/a b?c d+e", against: "http://h/")?.url == "http://h/a%20b?c%20d+e")
    }

    @Test(arguments: [
        ("http://bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("//BÜCHER.example:8080/x", "http://xn--bcher-kva.example:8080/x"),
    ])
    func aHostInOtherLettersIsAskedForInPunycode(location: String, url: String) {
        let target = CurlURL.resolve(location, against: "http://h/")
        #expect(target?.url == url && target?.origin.host == "xn--bcher-kva.example")
    }

    @Test(arguments: ["http://caf%E9.example/", "http://caf\u{FFFD}.example/", "http://a\u{FF0F}b.example/"])
    func whatNamesNoHostIsNotMadeOne(location: String) {
        #expect(CurlURL.resolve(location, against: "http://h/")?.url == nil)
    }

    @Test(arguments: [
        (
            "Failed to connect to h port 81 after 0 ms: Couldn't connect to server",
            "can't connect to h port 81: nobody answers there; check host and port, or try later"
        ),
        (
            "Failed to connect to p port 3128 after 12 ms: No route to host",
            "can't connect to the proxy p port 3128: No route to host; check host and port, or try later"
        ), ("no such thing", "can't connect to h: no such thing"),
    ])
    func whoCannotBeReachedIsNamed(detail: String, sentence: String) {
        let progress = CurlError.Progress(hasHead: false, received: 0)
        #expect(CurlError.error(CURLE_COULDNT_CONNECT, detail, host: "h", at: progress).message == sentence)
    }

    @Test func anAddressIsNotTakenForAProxy() {
        let error = CurlError.error(
            CURLE_COULDNT_CONNECT,
            "Failed to connect to ::1 port 1 after 0 ms: Couldn't connect to server",
            host: "[::1]",
            at: CurlError.Progress(hasHead: false, received: 0)
        )
        #expect(error.message.hasPrefix("can't connect to ::1 port 1: nobody answers there"))
    }

    @Test func aProxyWithoutAnAddressIsNamedInPlaceOfTheHost() throws {
        var progress = CurlError.Progress(hasHead: false, received: 0)
        progress.proxy = try ProxyServer("socks5h://p:1080")
        let error = CurlError.error(CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: p", host: "h", at: progress)
        #expect(error.code == .hostNotFound && error.message.hasPrefix("no address for the proxy p: check --proxy"))
    }

    /// Or its user might be locked out.
    @Test(arguments: [
        ("User was rejected by the SOCKS5 server (1 1).", "", "put them into the proxy's URL"),
        ("User was rejected by the SOCKS5 server (1 1).", "u:p@", "check those in the proxy's URL"),
        ("No authentication method was acceptable.", "", "put them into the proxy's URL"),
    ])
    func aProxyThatRejectsItsUserIsNotAskedAgain(detail: String, user: String, cure: String) throws {
        var progress = CurlError.Progress(hasHead: false, received: 0)
        progress.proxy = try ProxyServer("socks5h://\(user)p:1080")
        let error = CurlError.error(CURLE_PROXY, detail, host: "h", at: progress)
        #expect(error.code == .badStatus && !error.isTransient && !error.isPermanent)
        #expect(error.message.hasPrefix("the proxy p:1080 ") && error.message.hasSuffix(cure))
    }

    @Test(arguments: [
        ("(2)", "its rules do not allow that"), ("(4)", "the host is unreachable from there"),
        ("(9)", "Can't complete SOCKS5 connection to h. (9)"),
    ])
    func whatAProxyOfSOCKSRepliesHasWords(reply: String, words: String) throws {
        var progress = CurlError.Progress(hasHead: false, received: 0)
        progress.proxy = try ProxyServer("socks5h://p:1080")
        let detail = "Can't complete SOCKS5 connection to h. \(reply)"
        let error = CurlError.error(CURLE_PROXY, detail, host: "h", at: progress)
        #expect(error.code == .cannotConnect && error.message.hasSuffix("did not connect to h: \(words)"))
    }

    @Test(arguments: ["Could not resolve host: h", "Failed to resolve \"h\" for SOCKS5 connect."])
    func aNameThatIsLookedUpBeforeTheProxyIsAskedIsNotItsFault(detail: String) throws {
        var progress = CurlError.Progress(hasHead: false, received: 0)
        progress.proxy = try ProxyServer("socks5://p:1080")
        let error = CurlError.error(CURLE_PROXY, detail, host: "h", at: progress)
        #expect(error.code == .hostNotFound && error.message.hasPrefix("no address for h, which is looked up here"))
    }

    @Test func thatNoKeptConnectionAnswersIsSaidWithACure() {
        let progress = CurlError.Progress(hasHead: false, received: 0)
        let detail = "Connection died, tried 5 times before giving up"
        let error = CurlError.error(CURLE_SEND_ERROR, detail, host: "h", at: progress)
        #expect(error.code == .connectionLost)
        #expect(error.message == "h closed every connection that was open without an answer: try again, for a new one")
    }

    @Test(arguments: [
        ("file:///etc/passwd", "file"), ("FILE:/etc/passwd", "file"), ("file://h/x", "file"), (" data:,x", "data"),
        ("javascript:alert(1)", "javascript"), ("mailto:a@b", "mailto"), ("ftp://h/x", "ftp"),
        ("gopher://h:70/", "gopher"),
    ])
    func aRedirectToAnotherSchemeIsRefusedByItsName(location: String, scheme: String) throws {
        var redirection = Redirection(url: "http://a/")

        let error = #expect(throws: DownloadError.self) {
            try redirection.follow(location, limit: 20, allowsDowngrade: true)
        }

        #expect(error?.code == .badResponse)
        #expect(error?.message.hasPrefix("the server redirects to a \(scheme): URL, which is refused") == true)
        #expect(error?.message.hasSuffix(location) == true)
        #expect(redirection.url == "http://a/" && redirection.count == 0)
    }

    @Test func ofALongSchemeTheBeginningIsSaid() {
        var redirection = Redirection(url: "http://a/")
        let scheme = String(repeating: "q", count: 50_000)

        let error = #expect(throws: DownloadError.self) {
            try redirection.follow(scheme + "://a/", limit: 20, allowsDowngrade: true)
        }

        #expect(error?.message.hasPrefix("the server redirects to a \(scheme.prefix(99))…: URL, which") == true)
        #expect((error?.message.count ?? 0) < 1_500)
    }

    @Test func theFirstHopsAreKeptWithTheirStatusAndWithoutCredentials() throws {
        var redirection = Redirection(url: "http://a/")

        try redirection.follow("https://u:secret@b/1#x", status: 301, limit: 50, allowsDowngrade: false)
        for step in 2...30 {
            try redirection.follow("/\(step)", status: 307, limit: 50, allowsDowngrade: false)
        }

        try #require(redirection.count == 30 && redirection.hops.count == RedirectHop.limit)
        #expect(redirection.hops[0] == RedirectHop(status: 301, url: "https://b/1"))
        #expect(redirection.hops[9] == RedirectHop(status: 307, url: "https://b/10"))
    }

    @Test(arguments: ["localhost:8080/x", "http://", "http://[::1"])
    func whatNamesNoPlaceIsNoURL(location: String) throws {
        var redirection = Redirection(url: "http://a/")

        let error = #expect(throws: DownloadError.self) {
            try redirection.follow(location, limit: 20, allowsDowngrade: false)
        }

        #expect(error?.code == .badResponse && error?.message.contains("what is no URL") == true)
    }
}
