import SluiceCore
import SluiceOrigin
import SluicePipeline
import SluiceTestSupport
import Testing

/// Answers that vary by cookies, and the next process, which has none.
extension HTTPCachePipelineTests {
    private static let cookie = HeaderField("Set-Cookie", "sid=1; Path=/")

    /// A page for whoever asks.
    private static func page(_ request: OriginRequest) -> OriginResponse {
        var answer = OriginResponse.text(request.header("cookie") ?? "nobody")
        answer.headers += [HeaderField("Vary", "Cookie"), HeaderField("Cache-Control", "max-age=86400")]
        return answer
    }

    /// - Returns: Whether the next process is answered from disk.
    private func isAnsweredFromDisk(_ path: String) throws -> Bool {
        let before = origin.log.hits(path)
        let next = try harness(saves: false)
        ask(next, origin.url(path))
        try next.finish()
        return origin.log.hits(path) == before
    }

    @Test func aPageForACookieOfARedirectIsNotStored() throws {
        var redirect = OriginResponse.redirect(to: "/page")
        redirect.headers.append(Self.cookie)
        origin.route("/login", redirect)
        origin.route("/page") { request, _ in Self.page(request) }
        let first = try harness(saves: false)
        ask(first, origin.url("/login"))
        #expect(try first.finish().httpCache(.skipped).map(\.why) == [.varyCookie])
        #expect(try !isAnsweredFromDisk("/page"))
    }

    @Test func aPageForACookieThatCameMeanwhileIsNotStored() throws {
        var login = OriginResponse.text("welcome")
        login.headers.append(Self.cookie)
        origin.route("/login", login)
        origin.route("/late", .redirect(to: "/page"))
        origin.route("/page") { request, _ in Self.page(request) }
        origin.hold("/late")
        let first = try harness(saves: false)
        first.submit(origin.url("/late"))
        #expect(origin.waitUntil { $0.held == 1 })
        ask(first, origin.url("/login"))
        origin.release("/late")
        #expect(first.wait { $0.taskEnds.count == 2 })
        #expect(try first.finish().httpCache(.skipped).map(\.why) == [.varyCookie])
        #expect(try !isAnsweredFromDisk("/page"))
    }

    /// It was made for a request that had none.
    @Test func aPageThatSetsACookieItselfIsStored() throws {
        origin.route("/page") { request, _ in
            var answer = Self.page(request)
            answer.headers.append(Self.cookie)
            return answer
        }
        let first = try harness(saves: false)
        ask(first, origin.url("/page"))
        #expect(try first.finish().httpCache(.stored).count == 1)
        #expect(try isAnsweredFromDisk("/page"))
    }
}
