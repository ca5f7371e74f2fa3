import SluiceCore
import SluiceCurl
import Testing

/// Whose cookies go out with a request.
@Suite(.timeLimit(.minutes(5)))
struct CookieJarsTests {
    /// What was set for one user says who that is.
    @Test func cookiesAreOfTheUserThatTheyWereSetFor() async {
        let server = ScriptedServer([
            "/set": Answers.ok("", "Set-Cookie: sid=anna; Path=/\r\n"), "/get": Answers.ok(""),
        ])
        let (anna, ben) = (Credentials(user: "anna", password: "1"), Credentials(user: "ben", password: "2"))
        await withClient { client in
            var request = TransferRequest(url: server.url("/set"))
            request.credentials = anna
            _ = await client.fetch(request)
            for user in [anna, ben, nil, anna] {
                var request = TransferRequest(url: server.url("/get"))
                request.credentials = user
                _ = await client.fetch(request)
            }
            var bearer = TransferRequest(url: server.url("/get"))
            bearer.headers = [HeaderField("Authorization", "Bearer x")]
            _ = await client.fetch(bearer)
        }
        let isSent = server.requests.dropFirst().map { $0.contains("Cookie: sid=anna") }
        #expect(isSent == [true, false, false, true, false])
        server.stop()
    }
}
