import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceCurl

/// Servers that set many cookies.
struct CookieLimitTests {
    private func line(_ domain: Int, _ name: Int) -> String {
        "site\(domain).example\tFALSE\t/\tFALSE\t0\tname\(name)\tvalue"
    }

    @Test func aJarThatIsNotTooLargeStaysAsItIs() {
        let jar = (0..<16).flatMap { domain in (0..<180).map { line(domain, $0) } }
        #expect(CookieLimit.kept(of: jar) == nil && CookieLimit.kept(of: []) == nil)
    }

    @Test func theNewestOfADomainStay() {
        let jar = (0..<200).map { line(1, $0) } + [line(2, 0)]
        #expect(CookieLimit.kept(of: jar) == (20..<200).map { line(1, $0) } + [line(2, 0)])
    }

    @Test func aDomainIsOneHoweverItIsWritten() {
        let jar = (0..<200).map { ["", ".", "#HttpOnly_", "#HttpOnly_."][$0 % 4] + line(1, $0) }
        #expect(CookieLimit.kept(of: jar) == Array(jar.suffix(180)))
    }

    @Test func ofManyDomainsNoMoreStayThanAJarHolds() {
        let jar = (0..<100).flatMap { domain in (0..<50).map { line(domain, $0) } }
        #expect(CookieLimit.kept(of: jar) == Array(jar.suffix(3_000)))
    }

    /// The oldest of a server go with the eleventh answer; what came last is sent.
    @Test func theNewestAreSentBehindMany() async {
        var answers: [String: [ScriptedServer.Step]] = ["/end": Answers.ok("")]
        for answer in 0..<20 {
            let fields = (0..<49).map { "Set-Cookie: n\(answer)x\($0)=1; Path=/\r\n" }.joined()
            answers["/\(answer)"] = Answers.ok("", fields)
        }
        let server = ScriptedServer(answers)
        await withClient { client in
            for answer in 0..<20 { _ = await client.fetch(server.url("/\(answer)")) }
            _ = await client.fetch(server.url("/end"))
        }
        let sent = server.requests.last?.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") } ?? ""
        #expect(!sent.contains(" n0x0=") && !sent.contains(" n3x"))
        #expect(server.requests.last?.contains("GET /end") == true)
        server.stop()
    }
}
