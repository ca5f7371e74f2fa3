import SluiceCore
import Testing

struct ListFilterTests {
    @Test(arguments: [
        ("", true), ("cat", true), ("CAT", true), ("cat png", true), ("cat dog", false), ("!cat", false),
        ("!dog", true),
        ("!dog png", true), ("!", true), (" ", true), ("example/c", true), ("cat.png?", false),
    ])
    func rowsMatch(filter: String, isMatch: Bool) {
        #expect(ListFilter(filter).matches(url: "https://example/cat.png", name: { "cat.png" }) == isMatch)
        #expect(ListFilter(filter).matches("https://example/cat.png") == isMatch)
    }

    @Test func aNameIsReadDecodedOnlyWhereItDiffers() {
        var asked = 0
        func name() -> String {
            asked += 1
            return "saturn rings ü.jpg"
        }
        #expect(ListFilter("rings").matches(url: "https://a/saturn%20rings%20%C3%BC.jpg", name: name))
        #expect(!ListFilter("ring x").matches(url: "https://a/saturn.jpg", name: name))
        #expect(asked == 0)
        #expect(ListFilter("ü").matches(url: "https://a/saturn%20rings%20%C3%BC.jpg", name: name))
        #expect(!ListFilter("!ü").matches(url: "https://a/saturn%20rings%20%C3%BC.jpg", name: name))
    }
}
