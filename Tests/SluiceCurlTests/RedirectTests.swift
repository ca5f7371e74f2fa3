import SluiceCore
import Testing

@testable import SluiceCurl

/// Redirects and credentials on real sockets; two servers are two origins.
@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    @Test func redirectsAreFollowedOnTheSameConnection() async {
        let server = ScriptedServer([
            "/a": Answers.redirect(to: "b?x=1#part"), "/b?x=1": Answers.redirect(to: "/c d", "307 Temporary"),
            "/c%20d": Answers.ok("hello"),
        ])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.text == "hello")
            #expect(fetched.heads.map(\.status) == [200])
            #expect(fetched.heads.first?.redirects == 2)
            #expect(fetched.heads.first?.finalURL == server.url("/c%20d"))
            #expect(fetched.sent == 5, "the bodies of redirects don't count")
            #expect(fetched.news == ["response", "ended"])
        }
        #expect(server.accepted == 1)
        server.stop()
    }

    /// That another server sent a byte, and how long it took to connect to it, says nothing of the one that failed.
    @Test func theTimesOfAFailureAreThoseOfTheLastPlace() async {
        let other = ScriptedServer(["/b": [.awaitClose]])
        let server = ScriptedServer(["/a": Answers.redirect(to: other.url("/b"))])
        await withClient { client in
            await client.change { $0.timeout = .milliseconds(300) }
            let silent = await client.fetch(server.url("/a"))
            #expect(silent.code == .timedOut)
            #expect(silent.timings.firstByte == nil)
            let redirects = silent.timings.redirects ?? .zero
            #expect(redirects > .zero && (silent.timings.connect ?? .zero) >= redirects)
        }
        other.stop()
        server.stop()
    }

    /// It would never end, and the connection could not be used again.
    @Test func aRedirectWhoseBodyHasNoEndIsFollowedAtOnce() async {
        let server = ScriptedServer([
            "/a": [.text("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\nmoved"), .awaitClose], "/b": Answers.ok("hello"),
        ])
        await withClient { client in #expect(await client.fetch(server.url("/a")).text == "hello") }
        server.stop()
    }

    @Test func aPlaceIsAskedForByItsBytes() async {
        let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf"
        let redirect = Array(head.utf8) + [0xE9] + Array(".jpg\r\n\r\n".utf8)
        let server = ScriptedServer(["/a": [.send(redirect)], "/caf%E9.jpg": Answers.ok("hello")])
        await withClient { client in #expect(await client.fetch(server.url("/a")).text == "hello") }
        server.stop()
    }

    @Test func credentialsStayWithTheirOrigin() async {
        let other = ScriptedServer(["/away": Answers.ok("away")])
        let server = ScriptedServer(["/a": Answers.redirect(to: "/b"), "/b": Answers.redirect(to: other.url("/back"))])
        other.add("/back", Answers.redirect(to: server.url("/c")))
        server.add("/c", Answers.ok("home"))
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.credentials = Credentials(user: "me", password: "secret")
            request.headers = [HeaderField("X-Token", "1"), HeaderField("X-Any", "2")]
            request.originOnlyHeaders = ["x-token"]
            let fetched = await client.fetch(request)
            #expect(fetched.text == "home")
            #expect(fetched.heads.first?.redirects == 3)
        }
        let requests = server.requests + other.requests
        #expect(requests.map { $0.contains("Authorization: Basic bWU6c2VjcmV0") } == [true, true, false, false])
        #expect(requests.map { $0.contains("X-Token") } == [true, true, false, false])
        #expect(requests.allSatisfy { $0.contains("X-Any: 2") })
        server.stop()
        other.stop()
    }

    /// To another port of the host, but to no other name of the machine.
    @Test func fieldsOfAHostStayWithIt() async {
        let other = ScriptedServer(["/b": Answers.redirect(to: "/c")])
        let server = ScriptedServer(["/a": Answers.redirect(to: other.url("/b")), "/d": Answers.ok("end")])
        other.add("/c", Answers.redirect(to: "http://localhost:\(server.port)/d"))
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.headers = [HeaderField("X-Key", "1")]
            request.hostOnlyHeaders = ["x-key"]
            #expect(await client.fetch(request).text == "end")
        }
        let keys = (server.requests + other.requests).map { ($0.split(separator: " ")[1], $0.contains("X-Key: 1")) }
        #expect(Dictionary(uniqueKeysWithValues: keys) == ["/a": true, "/b": true, "/c": true, "/d": false])
        server.stop()
        other.stop()
    }

    @Test func aUserInALocationIsNotSent() async {
        let server = ScriptedServer(["/b": Answers.ok("")])
        server.add("/a", Answers.redirect(to: "http://me:secret@127.0.0.1:\(server.port)/b"))
        await withClient { client in
            #expect(await client.fetch(server.url("/a")).heads.first?.finalURL == server.url("/b"))
        }
        #expect(server.requests.allSatisfy { !$0.contains("Authorization") })
        server.stop()
    }

    @Test func circlesEnd() async {
        let server = ScriptedServer(["/a": Answers.redirect(to: "/a")])
        await withClient { client in
            await client.change { $0.maxRedirects = 5 }
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.code == .tooManyRedirects)
            #expect(fetched.heads.isEmpty)
        }
        #expect(server.requests.count == 6)
        server.stop()
    }

    @Test(arguments: ["ftp://127.0.0.1/x", "file:///etc/passwd", "http://[bad", "javascript:alert(1)"])
    func otherPlacesAreRefused(location: String) async {
        let server = ScriptedServer(["/a": Answers.redirect(to: location)])
        await withClient { client in #expect(await client.fetch(server.url("/a")).code == .badResponse) }
        server.stop()
    }

    @Test(arguments: ["300 Choices", "304 Not Modified", "305 Proxy"]) func otherStatusesAreAnswers(
        status: String
    ) async {
        let server = ScriptedServer(["/a": Answers.status(status, "Location: /b\r\n")])
        await withClient { client in #expect(await client.fetch(server.url("/a")).heads.count == 1) }
        server.stop()
    }

    @Test(arguments: ["", "Location:\r\n", "Location: \t \r\n"])
    func aRedirectThatLeadsNowhereIsAnAnswer(field: String) async {
        let server = ScriptedServer(["/a": Answers.status("302 Found", field, body: "where?")])
        await withClient { client in
            let fetched = await client.fetch(server.url("/a"))
            #expect(fetched.heads.map(\.status) == [302])
            #expect(fetched.text == "where?")
        }
        server.stop()
    }

    @Test func theBodyOfARedirectIsNotWaitedForForever() async {
        let endless = String(repeating: "x", count: 200_000)
        let server = ScriptedServer([
            "/a": [.text("HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n\(endless)"), .awaitClose],
            "/b": Answers.ok("hello"),
        ])
        await withClient { client in #expect(await client.fetch(server.url("/a")).text == "hello") }
        #expect(server.waitForClose())
        server.stop()
    }

    /// Not even a byte of it, by which one would see how late it is.
    @Test(arguments: ["302 Found", "401 Unauthorized"]) func aBodyThatNeverComesIsNotWaitedFor(status: String) {
        let fields = "Location: /b\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 100\r\n\r\n"
        let challenge = [ScriptedServer.Step.text("HTTP/1.1 \(status)\r\n\(fields)"), .mark, .awaitClose]
        let server = ScriptedServer(["/a": [challenge, Answers.ok("hello")], "/b": [Answers.ok("hello")]])
        var request = TransferRequest(url: server.url("/a"))
        request.credentials = Credentials(user: "me", password: "secret")
        let transfer = DrivenTransfer(request, timeout: .seconds(60))
        while server.requests.isEmpty { transfer.turn() }
        #expect(server.waitForMark())
        for _ in 0..<3 { transfer.turn(after: .seconds(2)) }
        while transfer.result == nil { transfer.turn(after: .milliseconds(2)) }
        #expect(transfer.error == nil && transfer.sink.fetched.text == "hello", "\(transfer.error?.message ?? "")")
        #expect(server.waitForClose())
        server.stop()
    }

    @Test func digestCredentialsAnswerTheChallenge() async {
        let refusal = Self.challenge("r", "n")
        let server = ScriptedServer(["/a": [refusal, Answers.ok("hello")], "/wrong": [refusal]])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.credentials = Credentials(user: "me", password: "secret")
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello")
            #expect(fetched.heads.map(\.status) == [200])
            #expect(server.requests.last?.contains("Authorization: Digest username=\"me\"") == true)

            request.url = server.url("/wrong")
            #expect(await client.fetch(request).heads.map(\.status) == [401])
        }
        server.stop()
    }

    private static func challenge(_ realm: String, _ nonce: String, _ rest: String = "") -> [ScriptedServer.Step] {
        let value = "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\"\(rest)"
        return Answers.status("401 Unauthorized", "WWW-Authenticate: \(value)\r\n", body: "no")
    }

    /// What a host's challenge said is for that host alone.
    @Test func digestChallengesOfHostsAreKeptApart() async {
        let (ok, paths) = (Answers.ok("hello"), ["/1", "/2", "/3"])
        let servers = ["a", "b"].map { realm in
            ScriptedServer(Dictionary(uniqueKeysWithValues: paths.map { ($0, [Self.challenge(realm, "n"), ok]) }))
        }
        await withClient { client in
            for path in paths {
                for server in servers {
                    var request = TransferRequest(url: server.url(path))
                    request.credentials = Credentials(user: "me", password: "secret")
                    #expect(await client.fetch(request).text == "hello")
                }
            }
        }
        for (server, other) in zip(servers, ["b", "a"]) {
            #expect(!server.requests.contains { $0.contains("realm=\"\(other)\"") })
            #expect(server.requests.count { $0.contains("Authorization: Digest") } == 3)
            server.stop()
        }
    }

    /// A nonce for one answer only, as servers may give it.
    @Test func aRedirectMayBringANewChallenge() async {
        let server = ScriptedServer([
            "/first": [
                Self.challenge("r", "1"), Self.challenge("r", "2", ", stale=true"),
                Answers.status("302 Found", "Location: /final\r\n", body: ""),
            ],
            "/final": [Self.challenge("r", "3", ", stale=true"), Answers.ok("hello")],
        ])
        await withClient { client in
            var request = TransferRequest(url: server.url("/first"))
            request.credentials = Credentials(user: "me", password: "secret")
            let fetched = await client.fetch(request)
            #expect(fetched.text == "hello")
            #expect(fetched.heads.map(\.status) == [200])
        }
        #expect(server.requests.last?.contains("nonce=\"3\"") == true)
        server.stop()
    }

    @Test(arguments: [
        ("Basic realm=\"b\"\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"", true),
        ("Basic realm=\"b, \\\"c\", DIGEST realm=\"r\", nonce=\"n\", qop=\"auth\"", true),
        ("Basic realm=\"b, Digest c\"", false),
        ("Basic digest=\"1\"", false),
    ])
    func digestIsAnsweredWhereverItIsOffered(challenges: String, isAnswered: Bool) async {
        let refusal = Answers.status("401 Unauthorized", "WWW-Authenticate: \(challenges)\r\n", body: "no")
        let server = ScriptedServer(["/a": [refusal, Answers.ok("hello")]])
        await withClient { client in
            var request = TransferRequest(url: server.url("/a"))
            request.credentials = Credentials(user: "me", password: "secret")
            let fetched = await client.fetch(request)
            #expect(fetched.heads.map(\.status) == [isAnswered ? 200 : 401])
            let digests = server.requests.filter { $0.contains("Authorization: Digest username=\"me\"") }
            #expect(digests.count == (isAnswered ? 1 : 0))
        }
        server.stop()
    }

    @Test func fromHTTPSToHTTPOnlyIfAllowed() throws {
        var redirection = Redirection(url: "https://example.com/a")
        let error = #expect(throws: DownloadError.self) {
            try redirection.follow("http://example.com/b", limit: 20, allowsDowngrade: false)
        }
        #expect(error?.code == .badResponse)
        #expect(error?.message.contains("--allow-downgrade") == true)
        try redirection.follow("http://example.com/b", limit: 20, allowsDowngrade: true)
        #expect(redirection.hasLeftOrigin)
    }

    @Test(arguments: [
        ("/b", "http://h/b", false), ("http://H:80/b", "http://H/b", false), ("http://h:81/", "http://h:81/", true),
        ("https://h/", "https://h/", true), ("//other/x#y", "http://other/x", true), ("?q", "http://h/a/c?q", false),
        ("../é", "http://h/%c3%a9", false),
    ])
    func locationsAreResolved(location: String, expected: String, leaves: Bool) throws {
        var redirection = Redirection(url: "http://h/a/c")
        try redirection.follow(location, limit: 1, allowsDowngrade: false)
        #expect(redirection.url.replacing("H:80", with: "H") == expected)
        #expect(redirection.hasLeftOrigin == leaves)
    }
}
