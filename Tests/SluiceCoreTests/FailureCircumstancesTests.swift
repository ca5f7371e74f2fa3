import SluiceCore
import Testing

struct FailureCircumstancesTests {
    private let usual = Self.circumstances()

    private static func circumstances(
        trust: TrustBook = .standard,
        userAgent: String = "Sluice/1",
        route: String = "",
        _ change: (inout Settings) -> Void = { _ in }
    ) -> FailureCircumstances {
        var settings = Settings()
        change(&settings)
        return FailureCircumstances(settings: settings, trust: trust, userAgent: userAgent, route: route)
    }

    /// Another session, of another process, compares them.
    @Test(arguments: [
        (DownloadError.Code.badStatus, "12kvx9doo71qa"), (.badImage, "3rpqenry5zvjd"), (.tlsUntrusted, "3v0hfugxc63ai"),
    ])
    func marksAreTheSameInEveryProcess(code: DownloadError.Code, mark: String) {
        #expect(usual.mark(of: code) == mark)
        #expect(usual.marks[code] == mark)
    }

    @Test func whatJudgesImagesMayHaveCausedBrokenOnes() {
        let others = [
            Self.circumstances { $0.maxPixels = 5_000 }, Self.circumstances { $0.acceptOnly = .image },
            Self.circumstances { $0.decode = .never },
        ]
        for other in others { #expect(other.cured(since: usual) == [.badImage]) }
    }

    @Test func anySettingBesideCuresNothing() {
        let other = Self.circumstances { ($0.maxActive, $0.retries, $0.policy) = (7, 7, .reload) }
        #expect(other.cured(since: usual).isEmpty)
    }

    @Test func whoAsksAndWhichWayMayHaveCausedAll() {
        let all = Set(DownloadError.Code.allCases)
        #expect(Self.circumstances(userAgent: "Other/1").cured(since: usual) == all)
        #expect(Self.circumstances(route: "http://proxy:3128").cured(since: usual) == all)
    }

    @Test func trustOfAnyHostMayHaveCausedRefusals() throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("a.example"), [.key(sha256: Array(repeating: 1, count: 32))])
        let one = builder.book
        try builder.pin(hostPattern("b.example"), [.key(sha256: Array(repeating: 1, count: 32))])
        let two = builder.book
        #expect(one.mark(host: "c.example", port: 443) == two.mark(host: "c.example", port: 443))
        #expect(Set([TrustBook.standard, one, two].map(\.wholeMark)).count == 3)
        for (old, new) in [(TrustBook.standard, one), (one, two), (two, one)] {
            let cured = Self.circumstances(trust: new).cured(since: Self.circumstances(trust: old))
            #expect(cured == [.tlsUntrusted, .tlsFailed])
        }
    }
}
