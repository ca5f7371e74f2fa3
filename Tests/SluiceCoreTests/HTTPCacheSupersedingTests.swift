import Testing

@testable import SluiceCore

/// Which stored answers a newer one takes the place of that is not stored itself.
struct HTTPCacheSupersedingTests {
    private func stored(_ fields: [(String, String)] = [], at time: Int64 = 10) -> StoredResponse {
        let fields = fields.map { HeaderField($0.0, $0.1) }
        return StoredResponse(url: "http://h/a", status: 200, fields: fields, requestTime: 0, responseTime: time)
    }

    private func superseded(
        _ old: StoredResponse,
        status: Int = 200,
        tag: String? = nil,
        asked fields: [HeaderField] = [],
        method: String = "GET",
        isContinued: Bool = false
    ) -> Bool {
        let request = CacheRequest(url: "http://h/a", method: method, fields: fields)
        var head = ResponseHead(status: status, finalURL: "http://h/a")
        head.entityTag = tag
        let gone = HTTPCacheRules.superseded(
            [old],
            by: head,
            to: request,
            isContinued: isContinued,
            responseTime: 20
        )
        return gone == [old]
    }

    @Test func aWholeNewerVersionTakesThePlaceOfAnOlderOne() {
        #expect(superseded(stored()))
        #expect(!superseded(stored(at: 20)) && !superseded(stored(at: 21)), "it is no newer")
        #expect(!superseded(stored(), method: "HEAD") && !superseded(stored(), method: "POST"))
        #expect(!superseded(stored(), asked: [HeaderField("Range", "bytes=0-9")]), "a part is no version")
        #expect(!superseded(stored(), status: 404) && !superseded(stored(), status: 206))
        #expect(superseded(stored(), status: 203) && superseded(stored(), status: 204), "what answers is newer")
        var other = StoredResponse.Content(url: "http://h/a", status: 200, fields: [])
        other.owner = Fingerprint("somebody")
        #expect(!superseded(StoredResponse(other, requestTime: 0, responseTime: 10)), "it is another user's")
    }

    /// Else an even older one would step into the place of the one that goes.
    @Test func allThatCouldAnswerGo() {
        let plain = stored()
        var variant = StoredResponse(url: "http://h/a", status: 200, fields: [], requestTime: 0, responseTime: 15)
        let request = CacheRequest(url: "http://h/a", method: "GET", fields: [HeaderField("X-A", "1")])
        variant.vary = ["x-a"]
        variant.selector = request.selector(["x-a"]) ?? .none
        var other = variant
        other.selector = Fingerprint("another")
        let gone = HTTPCacheRules.superseded(
            [plain, variant, other],
            by: ResponseHead(status: 200, finalURL: "http://h/a"),
            to: request,
            isContinued: false,
            responseTime: 20
        )
        #expect(gone == [plain, variant])
    }

    /// - SeeAlso: RFC 9111 §4
    @Test func whatWasAskedForAndMadeLaterIsNewerThoughItCameFirst() {
        func answer(asked: Int64, made: Int?, came: Int64) -> StoredResponse {
            let fields = made.map { [HeaderField("Date", "Thu, 01 Jan 1970 00:00:0\($0) GMT")] } ?? []
            let content = StoredResponse.Content(url: "http://h/a", status: 200, fields: fields)
            return StoredResponse(content, requestTime: asked, responseTime: came)
        }
        let slow = answer(asked: 1_000, made: 1, came: 9_000)
        #expect(answer(asked: 2_000, made: 2, came: 3_000).isNewer(than: slow))
        #expect(!slow.isNewer(than: answer(asked: 2_000, made: 9, came: 9_500)))
        #expect(!answer(asked: 2_000, made: 1, came: 3_000).isNewer(than: slow), "made in the same second")
        #expect(!answer(asked: 500, made: 2, came: 3_000).isNewer(than: slow), "the origin's clock alone is no proof")
        #expect(!answer(asked: 2_000, made: 2, came: 3_000).isNewer(than: answer(asked: 1_000, made: nil, came: 9_000)))
    }

    /// What its strong validator continued may be what is stored.
    @Test(arguments: [
        ("\"1\"", "\"1\"", false), ("\"1\"", "\"2\"", true), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", nil, true),
    ]) func aContinuedOneSparesItsOwnVersion(old: String, new: String?, isGone: Bool) {
        #expect(superseded(stored([("ETag", old)]), status: 206, tag: new, isContinued: true) == isGone)
        #expect(superseded(stored([("ETag", old)]), status: 416, tag: new, isContinued: true) == isGone)
        #expect(superseded(stored([("ETag", old)]), status: 200, tag: new))
    }

    @Test func whyAnAnswerIsNotStoredSaysWhetherItIsANewerVersion() {
        let newer: [HTTPCacheWhy] = [.status(203), .notKeptInMemory(limit: 1), .varyAll, .varyCookie, .noStore]
        #expect(newer.filter(\.supersedesStored) == newer)
        let others: [HTTPCacheWhy] = [
            .method, .ownCondition, .requestNoStore, .tooLarge(bytes: 2, limit: 1), .notFetched, .notHeld, .otherTrust,
            .otherUser, .overtaken("PUT"), .newerStored, .forbidden, .cannotWrite("full"),
        ]
        #expect(others.filter(\.supersedesStored) == [])
    }
}
