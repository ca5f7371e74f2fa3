import SluiceCore
import Testing

@testable import SluicePipeline

struct ImageFreshnessTests {
    private let key = MergeKey(url: "http://test/a.png")

    @Test func anImageIsFreshUntilItsEnd() {
        var freshness = ImageFreshness()
        #expect(!freshness.isFresh(key, at: 0))
        freshness.note(key, until: 100, imageCount: 1) { _ in true }
        #expect(freshness.isFresh(key, at: 99) && !freshness.isFresh(key, at: 100))
        freshness.note(key, until: nil, imageCount: 1) { _ in true }
        #expect(!freshness.isFresh(key, at: 0) && freshness.isEmpty)
    }

    @Test func whatIsInMemoryNoMoreIsForgottenInTime() {
        var freshness = ImageFreshness()
        for number in 1...1000 {
            let key = MergeKey(url: "http://test/\(number).png")
            // Memory holds the last ten.
            freshness.note(key, until: 100, imageCount: min(10, number)) { text in
                (max(1, number - 9)...number).contains { MergeKey(url: "http://test/\($0).png").text == text }
            }
            #expect(freshness.count <= 2 * 10 + 64 && freshness.isFresh(key, at: 0))
        }
        #expect(freshness.isFresh(MergeKey(url: "http://test/991.png"), at: 0))
    }
}
