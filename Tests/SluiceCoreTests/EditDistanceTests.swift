import SluiceCore
import Testing

struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("", "ab", 2), ("get", "get", 0), ("gt", "get", 1), ("gete", "get", 1), ("git", "get", 1),
        ("gte", "get", 1), ("teg", "get", 2), ("cat", "dog", 3),
    ])
    func everySlipCountsOnce(_ left: String, _ right: String, _ slips: Int) {
        #expect(EditDistance.between(left, right) == slips)
        #expect(EditDistance.between(right, left) == slips)
    }

    @Test func theNearestComesFirstAndEquallyNearOnesInTheirOrder() {
        let names = ["purged", "purr", "purse", "purge", "pause"]
        #expect(EditDistance.nearest(to: "purge", among: names) == ["purge", "purged", "purse"])
        #expect(EditDistance.nearest(to: "purge", among: names, count: 9) == ["purge", "purged", "purse", "purr"])
        #expect(EditDistance.nearest(to: "purge", among: names, within: 0) == ["purge"])
        #expect(EditDistance.nearest(to: "dashboard", among: names) == [])
    }

    @Test func largeAndSmallLettersAreTheSameAndNamesStayAsTheyAre() {
        #expect(EditDistance.nearest(to: "MAXACTIV", among: ["maxActive", "order"]) == ["maxActive"])
    }

    @Test func namesThatAreFarAwayComeLastIfTheyAreAlike() {
        let names = ["maxActive", "active", "maxPixels"]
        #expect(EditDistance.nearest(to: "Activ", among: names) == ["active"])
        #expect(EditDistance.nearest(to: "Activ", among: names, or: EditDistance.holds) == ["active", "maxActive"])
        let first = EditDistance.nearest(to: "M", among: names, within: 0) { $0.hasPrefix($1) }
        #expect(first == ["maxActive", "maxPixels"])
    }

    @Test func shortWordsStandInTooManyNames() {
        #expect(EditDistance.holds("maxactive", "act") && !EditDistance.holds("maxactive", "ac"))
    }

    @Test func anOfferNamesAllThatAreNear() {
        #expect(EditDistance.offer([]) == nil)
        #expect(EditDistance.offer(["get"]) == "did you mean get?")
        #expect(EditDistance.offer(["purge", "pause"], sign: ":") == "did you mean :purge or :pause?")
    }
}
