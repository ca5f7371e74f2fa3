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
}
