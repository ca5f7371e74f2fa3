import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// Proxies and cookies, through the whole program.
@Suite(.timeLimit(.minutes(15)))
struct ProgramProxyTests {
    private let origin: Origin
    private let ledger = Ledger()

    init() throws {
        origin = try Origin()
        origin.route("/a.txt", ledger.script(.text("body")))
    }

    @Test(arguments: [
        ("http", "GET http://localhost:PORT/a.txt"), ("socks4", "socks4 127.0.0.1"), ("socks4a", "socks4a localhost"),
        ("socks5", "socks5 127.0.0.1"), ("socks5h", "socks5h localhost"),
    ])
    func requestsGoThroughTheProxy(kind: String, asked: String) throws {
        let proxy = try TestProxy()
        let url = "http://localhost:\(origin.port)/a.txt"
        let (run, result) = try GetRun.run(["-4", "--proxy", "\(kind)://127.0.0.1:\(proxy.port)", url])
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(run.contents(of: "a.txt") == Array("body".utf8))
        #expect(
            proxy.log.map { $0.hasPrefix(asked.replacing("PORT", with: "\(origin.port)")) } == [true],
            "\(proxy.log)"
        )
    }

    @Test func secureURLsGoThroughATunnel() throws {
        let proxy = try TestProxy()
        let url = "https://localhost:\(origin.port)/a.txt"
        let quick = ["--retries", "0", "--connect-timeout", "5"]
        let (_, result) = try GetRun.run(quick + ["--proxy", "127.0.0.1:\(proxy.port)", url])
        // Behind the tunnel is a server that speaks no TLS.
        #expect(result.exit == .exited(1))
        #expect(proxy.log == ["CONNECT localhost:\(origin.port) "])
        #expect(ledger.requests.isEmpty)
    }

    @Test func credentialsOfTheProxyStayWithTheProxy() throws {
        for kind in ["http", "socks5"] {
            let proxy = try TestProxy(needs: "anna:p w")
            let named = "\(kind)://anna:p%20w@127.0.0.1:\(proxy.port)"
            let (_, result) = try GetRun.run(["--proxy", named, origin.url("/a.txt")])
            #expect(result.exit == .exited(0), "\(result.errors)")
            #expect(
                proxy.log.first?.hasSuffix(kind == "http" ? "Basic YW5uYTpwIHc=" : "anna:p w") == true,
                "\(proxy.log)"
            )
            #expect(!result.events.description.contains("p%20w"))
        }
        #expect(ledger.requests.allSatisfy { $0.header("proxy-authorization") == nil })
    }

    @Test func aProxyThatWantsANameSaysSo() throws {
        let proxy = try TestProxy(needs: "anna:secret")
        for url in [origin.url("/a.txt"), "https://localhost:\(origin.port)/a.txt"] {
            let (_, result) = try GetRun.run(["--proxy", "http://127.0.0.1:\(proxy.port)", url])
            #expect(result.exit == .exited(1))
            #expect(
                result.events.named("task.finished").map { $0["error"]?["status"]?.int } == [407],
                "\(result.errors)"
            )
        }
        #expect(ledger.requests.isEmpty)
    }

    @Test func whoIsRefusedLikeThatByAServerItselfIsToldSo() throws {
        origin.route("/proxy", OriginResponse(407))
        let (_, result) = try GetRun.run([origin.url("/proxy")])
        #expect(result.exit == .exited(1))
        let sentence = "where no proxy is in use, the server answers as if it were one"
        #expect(result.errors.contains(sentence), "\(result.errors)")
    }

    @Test func cookiesOfTheUserAndOfServersAreOneField() throws {
        origin.route(
            "/set",
            ledger.script(
                OriginResponse(
                    headers: [HeaderField("Set-Cookie", "a=server; Path=/"), HeaderField("Set-Cookie", "b=2; Path=/")]
                )
            )
        )
        origin.route("/see", ledger.script(.text("seen")))
        let urls = [origin.url("/set"), origin.url("/see")]
        let one = ["--no-save", "--max-active", "1"]
        #expect(try GetRun.run(one + ["--header", "Cookie: a=mine; c=3"] + urls).result.exit == .exited(0))
        #expect(try GetRun.run(one + urls).result.exit == .exited(0))
        #expect(try GetRun.run(one + ["--no-cookies"] + urls).result.exit == .exited(0))
        let seen = ledger.requests.filter { $0.path == "/see" }.map { request in
            request.headers.filter { $0.name.lowercased() == "cookie" }.map(\.value)
        }
        #expect(seen.count == 3)
        #expect(seen[0] == ["a=mine; c=3; b=2"])
        #expect(seen[1].count == 1 && Set(seen[1][0].split(separator: "; ")) == ["a=server", "b=2"])
        #expect(seen[2] == [])
    }
}
