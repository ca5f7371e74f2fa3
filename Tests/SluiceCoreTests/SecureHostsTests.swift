import SluiceCore
import Testing

struct SecureHostsTests {
    private let start = Timestamp(nanoseconds: 0)

    @Test func aHostIsSecureForAsLongAsItSaid() {
        var hosts = SecureHosts()
        hosts.heard("max-age=10", from: "site.example", now: start)

        #expect(hosts.contains("site.example", now: start + .seconds(9)))
        #expect(!hosts.contains("site.example", now: start + .seconds(10)))
        #expect(!hosts.contains("www.site.example", now: start))
    }

    @Test func hostsBelowAreSecureOnlyIfItSaidSo() {
        var hosts = SecureHosts()
        hosts.heard("max-age=\"10\" ; includeSubDomains", from: "site.example", now: start)

        #expect(hosts.contains("a.b.site.example", now: start))
        #expect(!hosts.contains("mysite.example", now: start))
    }

    @Test func zeroTakesTheWishBack() {
        var hosts = SecureHosts()
        hosts.heard("max-age=10", from: "site.example", now: start)
        hosts.heard("max-age=0", from: "site.example", now: start)

        #expect(hosts.isEmpty)
    }

    @Test(arguments: ["", "includeSubDomains", "max-age", "max-age=x", "max-age=1;max-age=2", "max-age=-1"])
    func nonsenseIsIgnored(value: String) {
        var hosts = SecureHosts()
        hosts.heard(value, from: "site.example", now: start)
        #expect(hosts.isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func addressesHaveNoWishes(host: String) {
        var hosts = SecureHosts()
        hosts.heard("max-age=10", from: host, now: start)
        #expect(hosts.isEmpty)
    }
}
