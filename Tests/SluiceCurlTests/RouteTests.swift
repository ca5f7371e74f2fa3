import SluiceCore
import SluiceCurl
import Testing

struct RouteTests {
    @Test func itTellsWhoMayAnswerAndNothingElse() throws {
        let usual = CurlTransport.Configuration()
        var (proxied, narrow, plain, connected) = (usual, usual, usual, usual)
        proxied.proxies = try ProxyRules(named: "p.example:1", environment: { _ in nil })
        (narrow.ipVersion, plain.cookies, connected.maxConnections) = (.v4, false, 1)
        var vouched = proxied
        let certificate = EncodedCertificate(bytes: [1, 2, 3], place: "ca.pem:1")
        vouched.proxyAuthorities = CertificateFile(path: "ca.pem", certificates: [certificate])

        let routes = [usual, proxied, narrow, plain, vouched].map(\.route)
        #expect(Set(routes).count == routes.count)
        #expect(connected.route == usual.route)
    }
}
