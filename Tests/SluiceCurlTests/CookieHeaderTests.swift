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

    @Test func aPathCoversWhatLiesBelow() {
        #expect(merged("a=1", ["a.example\tFALSE\t/x\tFALSE\t0\tn\tv"], path: "/xy") == "a=1")
        #expect(merged("a=1", ["a.example\tFALSE\t/x/\tFALSE\t0\tn\tv"], path: "/x/y") == "a=1; n=v")
    }
}
