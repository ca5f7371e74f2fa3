import SluiceCore
import Testing

struct HostRulesTests {
    private func field(_ text: String) -> HeaderField {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return HeaderField(String(parts[0]), String(parts[1]))
    }

    /// What some hosts alone get goes nowhere else by a redirect.
    @Test func fieldsOfSomeHostsAreBound() throws {
        let url = try RequestURL("http://a.example/")
        var rules = HostRules()
        rules.headerRules = [
            .init(
                hosts: .all,
                replaced: [HeaderField("X-All", "1")]
            ),
            .init(
                hosts: try #require(HostPattern("a.example")),
                added: [HeaderField("X-Added", "1")],
                replaced: [HeaderField("X-Api-Key", "secret"), HeaderField("X-Own", "1")]
            ),
        ]
        (rules.privateHeaders, rules.namedHosts) = ([HeaderField("X-Private", "1")], ["a.example"])
        let fields = rules.fields([HeaderField("X-Own", "2")], url: url)
        #expect(fields.bound == ["x-added", "x-api-key", "x-private"])
    }

    @Test func whatIsNearerToTheRequestWins() throws {
        var rules = HostRules()
        rules.headerRules = [
            HostRules.HeaderRule(
                hosts: try hostPattern("*.site.example"),
                added: [field("X-Add=file")],
                replaced: [field("X-A=file"), field("X-B=file"), field("X-C=file")],
                removed: ["User-Agent", "X-D"]
            )
        ]
        rules.headers = [field("x-b=line"), field("X-C=line"), field("X-D=line")]
        let url = try RequestURL("http://a.site.example/")

        let fields = rules.fields([field("x-c=own")], url: url)

        let expected = ["X-A=file", "X-Add=file", "x-b=line", "X-D=line", "x-c=own"]
        #expect(fields.headers == expected.map(field))
        #expect(fields.removed == ["user-agent"], "what a nearer one sends is not removed")
        #expect(rules.fields([], url: try RequestURL("http://site.example/")).headers.count == 3)
    }

    @Test func laterSectionsOfTheFileActOnEarlierOnes() throws {
        var rules = HostRules()
        rules.headerRules = [
            HostRules.HeaderRule(hosts: .all, added: [field("A=1"), field("A=2"), field("B=1")]),
            HostRules.HeaderRule(hosts: .all, removed: ["b"]),
            HostRules.HeaderRule(hosts: try hostPattern("h:81"), replaced: [field("A=3")]),
        ]

        #expect(rules.fields([], url: try RequestURL("http://h/")).headers == [field("A=1"), field("A=2")])
        #expect(rules.fields([], url: try RequestURL("http://h:81/")).headers == [field("A=3")])
    }

    @Test func aFieldOfOnePortIsBoundToIt() throws {
        var rules = HostRules()
        rules.headerRules = [
            HostRules.HeaderRule(hosts: try hostPattern("h"), added: [field("A=1")]),
            HostRules.HeaderRule(hosts: try hostPattern("h:81"), added: [field("B=1")], replaced: [field("C=1")]),
        ]
        let fields = rules.fields([], url: try RequestURL("http://h:81/"))
        #expect(fields.bound == ["a", "b", "c"] && fields.boundToPort == ["b", "c"])
        #expect(rules.fields([], url: try RequestURL("http://h/")).boundToPort.isEmpty)
    }

    @Test func whoTheUserIsIsKnownToNamedHostsOnly() throws {
        var rules = HostRules()
        rules.privateHeaders = [field("Cookie=a")]
        rules.privateCredentials = Credentials(user: "line", password: "")
        rules.namedHosts = ["named.example"]
        rules.logins = [
            HostRules.Login(
                hosts: try hostPattern("other.example:8080"),
                credentials: Credentials(user: "other", password: "")
            ),
            HostRules.Login(hosts: .all, credentials: Credentials(user: "default", password: "")),
        ]
        let table = [
            ("http://named.example/", "line", 1), ("https://named.example:9/", "line", 1),
            ("http://other.example:8080/", "other", 0),
            ("http://other.example/", "default", 0), ("http://sub.named.example/", "default", 0),
        ]

        for (text, user, count) in table {
            let url = try RequestURL(text)
            #expect(rules.credentials(for: url)?.user == user, "\(text)")
            #expect(rules.fields([], url: url).headers.count == count, "\(text)")
        }
    }

    @Test func theCommandLineGoesBeforeNetrc() throws {
        func login(_ hosts: HostPattern, _ user: String) -> HostRules.Login {
            HostRules.Login(hosts: hosts, credentials: Credentials(user: user, password: ""))
        }
        var rules = HostRules()
        rules.netrcLogins = [login(try hostPattern("a.example"), "netrc"), login(.all, "default")]
        #expect(!rules.isEmpty)
        let (a, b) = (try RequestURL("http://a.example/"), try RequestURL("http://b.example/"))
        #expect(rules.credentials(for: a)?.user == "netrc")
        #expect(rules.credentials(for: b)?.user == "default")
        rules.privateCredentials = Credentials(user: "line", password: "")
        rules.namedHosts = ["a.example", "b.example"]
        #expect(rules.credentials(for: a)?.user == "line")
        #expect(rules.credentials(for: b)?.user == "line")
        rules.logins = [login(try hostPattern("b.example"), "named")]
        #expect(rules.credentials(for: a)?.user == "line")
        #expect(rules.credentials(for: b)?.user == "named")
    }

    @Test func withoutRulesNothingIsAdded() throws {
        #expect(HostRules().isEmpty)
        #expect(HostRules().credentials(for: try RequestURL("http://a/")) == nil)
    }

    @Test(arguments: [
        ("http://a/", 80), ("https://a/", 443), ("http://a:8080/x:9", 8080), ("http://[::1]/", 80),
        ("https://[::1]:8443/", 8443),
    ])
    func aURLHasAPort(text: String, port: Int) throws {
        #expect(try RequestURL(text).port == port)
    }
}
