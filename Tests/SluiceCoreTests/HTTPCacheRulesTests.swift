import SluiceCore
import Testing

/// What the rows through the pipeline can't show: dates, directives, what is left out, and other origins.
struct HTTPCacheRulesTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
        ("Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
    ])
    func allFormsOfDatesAreRead(text: String, seconds: Int) {
        #expect(HTTPDate.parse(text) == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "tomorrow", "Sun, 31 Nov 1994 08:49:37 GMT", "Tue, 29 Feb 1900 12:00:00 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
    func allElseIsNoDate(text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    private func age(_ line: String) -> CacheControl.Age? {
        CacheControl([HeaderField("Cache-Control", line)]).maxAge
    }

    @Test(
        arguments: [
            ("max-age=5", .seconds(5)), ("MAX-AGE=5", .seconds(5)), ("max-age=\"5\"", .seconds(5)),
            ("a, max-age=5 , b", .seconds(5)), ("a=\"x,y\",max-age=5", .seconds(5)), ("max-age=005", .seconds(5)),
            ("max-age=2147483649", .seconds(CacheControl.greatest)), ("max-age=5,max-age=5", .seconds(5)),
            ("max-age=5,max-age=6", .invalid), ("max-age", .invalid), ("max-age=", .invalid), ("max-age=-1", .invalid),
            ("max-age=1 2", .invalid), ("max-age =1", .invalid), ("max-age= 1", .invalid), ("max-age=\"1", .invalid),
            ("max-age=1.5", .invalid), ("max-age=1;x", .invalid), ("max-age=\"1\"x", .invalid),
            ("x-max-age=1", nil), ("\"max-age=1\"", nil), ("", nil), (",", nil), ("=max-age=1", nil),
        ] as [(String, CacheControl.Age?)]
    )
    func directivesAreReadStrictly(line: String, expected: CacheControl.Age?) {
        #expect(age(line) == expected)
    }

    @Test func noLineMakesTheReaderFail() {
        let parts = ["max-age", "=", "\"", ",", "\\", " ", "5", "é", "no-store"]
        for number in 0..<6561 {
            let line = (0..<4).map { parts[number / [1, 9, 81, 729][$0] % 9] }.joined()
            let control = CacheControl([HeaderField("Cache-Control", line)])
            if line == "no-store,max-age" { #expect(control.noStore) }
        }
    }

    private func head(_ fields: [(String, String)]) -> ResponseHead {
        var head = ResponseHead(status: 200, finalURL: "http://h/a")
        head.fields = fields.map { HeaderField($0.0, $0.1) }
        return head
    }

    @Test func fieldsOfConnectionAndProxyAreNotStored() throws {
        let request = CacheRequest(url: "http://h/a", fields: [])
        let answer = head([
            ("Connection", "X-Hop, close"), ("X-Hop", "1"), ("Keep-Alive", "5"), ("TE", "x"), ("Trailer", "x"),
            ("Upgrade", "x"), ("Transfer-Encoding", "chunked"), ("Proxy-Connection", "x"), ("Proxy-Authenticate", "x"),
            ("Proxy-Authorization", "x"), ("Proxy-Authentication-Info", "x"), ("X-Unknown", "kept"), ("Age", "0"),
        ])
        let storing = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
        guard case .store(let stored) = storing else { throw Unexpected() }
        #expect(stored.fields.map(\.name) == ["X-Unknown", "Age"])
    }

    @Test func aRedirectedAnswerIsStoredWhereItCameFrom() throws {
        var answer = head([("Cache-Control", "max-age=5")])
        (answer.redirects, answer.finalURL) = (1, "http://h/b")
        let request = CacheRequest(url: "http://h/a", fields: [])
        let storing = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
        guard case .store(let stored) = storing else { throw Unexpected() }
        #expect(stored.url == "http://h/b")
    }

    /// Behind a redirect that led elsewhere, the origin itself is not told any more who asks.
    @Test(arguments: [("http://h/x", true), ("http://other/x", false)])
    func whatCameBackFromAnotherOriginIsNoUsersAnswer(between: String, isStored: Bool) {
        var answer = head([("Cache-Control", "max-age=5")])
        (answer.redirects, answer.finalURL) = (2, "http://h/b")
        answer.hops = ["http://h/a", between].map { RedirectHop(status: 302, url: $0) }
        let request = CacheRequest(url: "http://h/a", fields: [HeaderField("Authorization", "x")])
        let storing = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
        #expect(storing.isStored == isStored)
        answer.hops.removeLast()
        let unknown = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
        #expect(unknown == .skip(why: .otherUser), "what is not known may have led elsewhere")
    }

    /// What says who asks stays behind.
    @Test(arguments: [("http://h/b", true), ("http://other/b", false), ("https://h/b", false)])
    func aRedirectToAnotherOriginIsNoUsersAnswer(url: String, isStored: Bool) {
        var answer = head([("Cache-Control", "max-age=5")])
        (answer.redirects, answer.finalURL) = (1, url)
        for (fields, user) in [
            ([HeaderField("Authorization", "x")], nil), ([], Credentials(user: "ann", password: "x")),
        ] as [([HeaderField], Credentials?)] {
            let request = CacheRequest(url: "http://h/a", fields: fields, credentials: user)
            let storing = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
            #expect(storing.isStored == isStored)
            if !isStored { #expect(storing == .skip(why: .otherUser)) }
        }
        let anonymous = CacheRequest(url: "http://h/a", fields: [])
        #expect(HTTPCacheRules.storing(answer, for: anonymous, requestTime: 0, responseTime: 0).isStored)
    }

    /// Whom a host is trusted by says nothing of who asks.
    @Test func whatIsTrustedInAnotherWayIsStoredBehindARedirect() {
        var answer = head([("Cache-Control", "max-age=5")])
        (answer.redirects, answer.finalURL) = (1, "http://other/b")
        answer.hops = [RedirectHop(status: 302, url: "http://other/b")]
        let request = CacheRequest(url: "http://h/a", fields: [], trust: "lenient")
        #expect(HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0).isStored)
    }

    @Test(arguments: [
        (307, "http://h/b", true), (308, "http://other/b", true), (303, "http://h/b", true),
        (302, "http://other/b", false),
    ])
    func whatTookTheRequestInTheEndIsMadeWorthless(status: Int, url: String, isMade: Bool) {
        var answer = head([])
        (answer.redirects, answer.finalURL) = (1, url)
        answer.hops = [RedirectHop(status: status, url: url)]
        #expect(HTTPCacheRules.invalidated(by: answer, of: "http://h/a") == ["http://h/a"] + (isMade ? [url] : []))
    }

    @Test(arguments: ["X-Bar", "X-Foo, X-Bar", "*"]) func aValidationTellsWhatTheAnswerVariesBy(vary: String) throws {
        let stored = stored(HeaderField("ETag", "\"1\""))
        let requests = ["1", "2"].map { CacheRequest(url: "http://h/a", fields: [HeaderField("X-Bar", $0)]) }
        let news = head([("Vary", vary)])
        let updated = try #require(
            HTTPCacheRules.updated(stored, by: news, for: requests[0], requestTime: 1, responseTime: 1)
        )
        let fitting = requests.map { HTTPCacheRules.selected([updated], for: $0) != nil }
        #expect(fitting == [vary != "*", false])
    }

    @Test func onlyTheSameOriginIsMadeWorthless() {
        let answer = head([("Location", "/b?x"), ("Content-Location", "http://other/c")])
        #expect(HTTPCacheRules.invalidated(by: answer, of: "http://h/a") == ["http://h/a", "http://h/b?x"])
        for (location, named) in [
            ("b", "http://h/d/b"), ("../b", "http://h/b"), ("//h/b#x", "http://h/b"), ("http://h:80/b", "http://h/b"),
        ] {
            let answer = head([("Location", "http://"), ("Content-Location", location)])
            #expect(HTTPCacheRules.invalidated(by: answer, of: "http://h/d/a") == ["http://h/d/a", named])
        }
        for (method, status, expected) in [
            ("POST", 200, true), ("PUT", 204, true), ("DELETE", 301, true), ("UNHEARD", 200, true),
            ("POST", 404, false), ("POST", 500, false), ("GET", 200, false), ("HEAD", 200, false),
        ] {
            #expect(HTTPCacheRules.invalidates(method: method, status: status) == expected, "\(method) \(status)")
        }
    }

    @Test func cookiesThatAreNotKnownSelectNothing() {
        let request = CacheRequest(url: "http://h/a", fields: [], hasUnknownCookies: true)
        let answer = head([("Vary", "Cookie"), ("Cache-Control", "max-age=5")])
        #expect(
            HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0) == .skip(why: .varyCookie)
        )
    }

    /// It was sent along to where the answer came from, and an answer's own was not.
    @Test(arguments: [0, 1]) func aCookieOfARedirectSelectsNothing(redirects: Int) {
        var answer = head([("Vary", "Cookie"), ("Cache-Control", "max-age=5")])
        (answer.setsCookie, answer.redirects) = (true, redirects)
        let request = CacheRequest(url: "http://h/a", fields: [])
        let storing = HTTPCacheRules.storing(answer, for: request, requestTime: 0, responseTime: 0)
        #expect(redirects == 0 ? storing.isStored : storing == .skip(why: .varyCookie))
    }

    /// As from the network: other times date no file.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", nil), ("Fri, 31 Dec 9999 23:59:59 GMT", nil),
        ] as [(String, Int?)]
    )
    func aStoredAnswerHasTheTimeOfItsFile(text: String, seconds: Int?) {
        let stored = StoredResponse(
            url: "http://h/a",
            status: 200,
            fields: [HeaderField("Last-Modified", text)],
            requestTime: 0,
            responseTime: 0
        )
        #expect(stored.head(age: 0).lastModified == seconds)
    }

    /// Such as servers send that know none.
    @Test(arguments: [
        ("Mon, 01 Jan 0001 00:00:00 GMT", Freshness.Basis.none), ("Thu, 01 Jan 1970 00:00:00 GMT", .none),
        ("Tue, 31 Dec 1969 23:59:59 GMT", .none), ("Thu, 01 Jan 1970 00:00:01 GMT", .heuristic),
    ])
    func aDateThatNobodySetKeepsNothingFresh(text: String, basis: Freshness.Basis) {
        var response = stored(HeaderField("Last-Modified", text))
        response.responseTime = 1_000_000_000_000
        #expect(Freshness(response, now: 1_000_000_000_000).basis == basis)
    }

    @Test func aClockThatWasSetBackMakesNothingYounger() {
        var response = StoredResponse(
            url: "http://h/a",
            status: 200,
            fields: [HeaderField("Age", "7"), HeaderField("Cache-Control", "max-age=10")],
            requestTime: 1_000_000,
            responseTime: 1_002_000
        )
        #expect(Freshness(response, now: 1_002_000).age == 9000, "the time that the answer took counts")
        #expect(Freshness(response, now: 1_000_500).age == 10_500, "by as much it may be older")
        let day: Int64 = 86_400_000
        #expect(!Freshness(response, now: 1_002_000 - day).isFresh, "as where the clock ran ahead when it was stored")
        response.fields = []
        #expect(Freshness(response, now: 1_003_500).age == 3500)
        #expect(Freshness(response, now: 1_003_500).ageSeconds == 3)
    }

    @Test(arguments: [CachePolicy.cacheOnly, .cacheElseLoad]) func whatIsToBeAskedAboutIsNotCalledFresh(
        policy: CachePolicy
    ) throws {
        let stored = stored(HeaderField("Cache-Control", "no-cache, max-age=100"))
        let request = request([], policy)
        guard case .answer(_, _, let why, _) = HTTPCacheRules.reuse([stored], for: request, now: 1_000)
        else { throw Unexpected() }
        #expect(why == .unasked)
    }

    /// - SeeAlso: RFC 9111 §5.2.1.7
    @Test(arguments: [CachePolicy.protocol, .refresh])
    func whoWantsNoNetworkIsNotRevalidatedBehind(policy: CachePolicy) throws {
        let stored = stored(HeaderField("Cache-Control", "max-age=10, stale-while-revalidate=100"))
        for (line, isAsked) in [("only-if-cached", false), ("x", true)] {
            let request = request([HeaderField("Cache-Control", line)], policy)
            guard case .answer(_, _, _, let revalidates) = HTTPCacheRules.reuse([stored], for: request, now: 50_000)
            else { throw Unexpected() }
            #expect(revalidates == isAsked)
        }
    }

    @Test func everyReasonIsASentence() {
        let reasons: [HTTPCacheWhy] = [
            .storedFresh(.maxAge, remaining: 5), .storedForValidation(.stale), .noStore,
            .fresh(.heuristic, remaining: 9), .besideMemory,
            .anyAge(0), .unasked, .staleIfError(200), .leastRecent, .invalidated("POST"), .stale(.invalid, 90_000),
        ]
        for sentence in reasons.map(\.sentence) {
            #expect(sentence.first?.isLowercase == true && sentence.last != ".", "\(sentence)")
        }
    }

    private func stored(_ field: HeaderField) -> StoredResponse {
        StoredResponse(url: "http://h/a", status: 200, fields: [field], requestTime: 0, responseTime: 0)
    }

    private func request(_ fields: [HeaderField], _ policy: CachePolicy) -> CacheRequest {
        CacheRequest(
            url: "http://h/a",
            method: "GET",
            fields: fields,
            credentials: nil,
            trust: "",
            policy: policy,
            hasUnknownCookies: false
        )
    }

    private struct Unexpected: Error {}
}
