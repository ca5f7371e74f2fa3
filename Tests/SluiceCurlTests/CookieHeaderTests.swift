import Testing

@testable import SluiceCurl

struct CookieHeaderTests {
    private let origin = SiteOrigin(scheme: "http", host: "a.example", port: "80")

    private func merged(_ own: String, _ jar: [String], path: String = "/x/y") -> String {
        CookieHeader.merged(own: own, jar: jar, origin: origin, path: path, now: 1_000)
    }

    @Test func whatTheUserSetWinsAndOthersGoAlong() {
        let jar = [
            "a.example\tFALSE\t/\tFALSE\t0\tmine\told", "#HttpOnly_a.example\tFALSE\t/\tFALSE\t2000\tseen\t1",
            ".example\tTRUE\t/x\tFALSE\t0\tdeep\t2",
        ]
        #expect(merged("mine=new; other=3", jar) == "mine=new; other=3; deep=2; seen=1")
        #expect(merged("", jar) == "deep=2; mine=old; seen=1")
    }

    @Test(arguments: [
        "b.example\tFALSE\t/\tFALSE\t0\tn\tv", ".b.example\tTRUE\t/\tFALSE\t0\tn\tv",
        "example\tFALSE\t/\tFALSE\t0\tn\tv",
        "a.example\tFALSE\t/\tTRUE\t0\tn\tv", "a.example\tFALSE\t/\tFALSE\t999\tn\tv",
        "a.example\tFALSE\t/x/yy\tFALSE\t0\tn\tv",
        "a.example\tFALSE\t/x/y/z\tFALSE\t0\tn\tv", "a.example\tFALSE\t/ x\tFALSE\t0\tn\tv", "nonsense",
    ])
    func whatIsNotForThisRequestStaysHome(line: String) {
        #expect(merged("a=1", [line]) == "a=1")
    }

    @Test(arguments: [(1_000, "a=1", 8), (10, "a=1", 149), (10, "a=1; b=2", 148), (10, "", 150)])
    func noMoreGoAlongThanServersTake(size: Int, own: String, count: Int) {
        let value = String(repeating: "v", count: size)
        let jar = (100..<300).map { "a.example\tFALSE\t/\tFALSE\t0\tn\($0)\t\(value)" }
        let whole = merged(own, jar)
        #expect(whole.hasPrefix(own) && whole.utf8.count < 8_190)
        #expect(whole.split(separator: "; ").count { $0.hasPrefix("n") } == count)
    }

    @Test func whatTheUserSetIsSentWhole() {
        let own = "a=" + String(repeating: "1", count: 9_000)
        #expect(merged(own, ["a.example\tFALSE\t/\tFALSE\t0\tn\tv"]) == own)
    }

    @Test func aPathCoversWhatLiesBelow() {
        #expect(merged("a=1", ["a.example\tFALSE\t/x\tFALSE\t0\tn\tv"], path: "/xy") == "a=1")
        #expect(merged("a=1", ["a.example\tFALSE\t/x/\tFALSE\t0\tn\tv"], path: "/x/y") == "a=1; n=v")
    }
}
