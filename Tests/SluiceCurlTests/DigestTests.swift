import SluiceCore
import SluiceCurl
import Testing

/// Challenges that curl answers by itself, and those to which it has no answer.
@Suite(.timeLimit(.minutes(5)))
struct DigestTests {
    private static func challenge(_ nonce: String, _ rest: String = "", body: String = "no") -> [ScriptedServer.Step] {
        let value = "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth\"\(rest)"
        return Answers.status("401 Unauthorized", "WWW-Authenticate: \(value)\r\n", body: body)
    }

    private func request(_ url: String) -> TransferRequest {
        var request = TransferRequest(url: url)
        request.credentials = Credentials(user: "me", password: "secret")
        return request
    }

    /// Whoever answers from several machines may find one after the other too old.
    @Test func aNonceMayBeTooOldTwice() async {
        let server = ScriptedServer([
            "/a": [
                Self.challenge("1"), Self.challenge("2", ", stale=true"), Self.challenge("3", ", stale=true"),
                Answers.ok("hello"),
            ]
        ])
        await withClient { client in
            let fetched = await client.fetch(request(server.url("/a")))
            #expect(fetched.error == nil)
            #expect(fetched.text == "hello")
            #expect(fetched.heads.map(\.status) == [200])
            #expect(fetched.news == ["response", "ended"])
        }
        #expect(server.requests.count == 4)
        #expect(server.requests.last?.contains("nonce=\"3\"") == true)
        server.stop()
    }

    /// curl itself would answer each of them, as long as they come.
    @Test func aNonceThatIsAlwaysTooOldIsNotAnsweredForEver() async {
        let server = ScriptedServer(["/a": [Self.challenge("1"), Self.challenge("2", ", stale=true")]])
        await withClient { client in
            let error = await client.fetch(request(server.url("/a"))).error
            #expect(error?.code == .badResponse)
            #expect(error?.message.contains("asked 6 times") == true, "\(error?.message ?? "no error")")
        }
        #expect(server.requests.count == 6)
        server.stop()
    }

    /// Its connection is not used again, and that is no other request.
    @Test func norWhereEachChallengeBringsMoreThanItSays() async {
        let stale = "WWW-Authenticate: Digest realm=\"r\", nonce=\"2\", qop=\"auth\", stale=true\r\n"
        let head = "HTTP/1.1 401 Unauthorized\r\n\(stale)Content-Length: 0\r\n\r\n"
        let server = ScriptedServer(["/a": [Self.challenge("1"), [.text(head + "part1")]]])
        await withClient { client in
            #expect(await client.fetch(request(server.url("/a"))).error?.code == .badResponse)
        }
        #expect(server.requests.count == 6)
        server.stop()
    }

    /// What is read past is limited, but this is no answer that leads elsewhere.
    @Test func aWrongPasswordIsTheServersWordHoweverLong() async {
        let page = String(repeating: "no", count: 50_000)
        let server = ScriptedServer(["/a": [Self.challenge("1"), Self.challenge("1", body: page)]])
        await withClient { client in
            let fetched = await client.fetch(request(server.url("/a")))
            #expect(fetched.error == nil)
            #expect(fetched.heads.map(\.status) == [401])
            #expect(fetched.text == page)
            #expect(fetched.sent == page.utf8.count)
            #expect(fetched.news == ["response", "ended"])
        }
        #expect(server.requests.count == 2)
        server.stop()
    }

    @Test func aWrongPasswordMayBeRefusedWithoutABody() async {
        let server = ScriptedServer(["/a": [Self.challenge("1", body: "")]])
        await withClient { client in
            let fetched = await client.fetch(request(server.url("/a")))
            #expect(fetched.error == nil)
            #expect(fetched.heads.map(\.status) == [401])
            #expect(fetched.news == ["response", "ended"])
        }
        server.stop()
    }

    /// Its head is not for the sink, whatever was asked before it.
    @Test func aRedirectToWhereNobodyMayGoIsNoAnswer() async throws {
        let damaged = EncodedCertificate(bytes: [1], place: "ca.pem:1")
        var policy = TrustPolicy()
        policy.authorities = CertificateFile(path: "ca.pem", certificates: [damaged])
        let trust = TrustBook(entries: [TrustBook.Entry(try #require(HostPattern("localhost")), policy)])
        let server = ScriptedServer([
            "/a": [
                Self.challenge("1"), Self.challenge("2", ", stale=true"), Answers.redirect(to: "http://localhost/b"),
            ]
        ])
        await withClient { client in
            var trusting = request(server.url("/a"))
            trusting.trust = trust
            let fetched = await client.fetch(trusting)
            #expect(fetched.code == .tlsFailed)
            #expect(fetched.heads.isEmpty)
            #expect(fetched.news == ["ended"])
        }
        #expect(server.requests.count == 3)
        server.stop()
    }
}
