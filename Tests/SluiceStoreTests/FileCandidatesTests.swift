import Testing

@testable import SluiceStore

struct FileCandidatesTests {
    @Test(arguments: [
        ("cat.png", ["cat.png", "cat.1.png", "cat.2.png"]),
        ("archive.tar.gz", ["archive.tar.gz", "archive.tar.1.gz", "archive.tar.2.gz"]),
        ("README", ["README", "README.1", "README.2"]),
        (".profile", [".profile", ".profile.1", ".profile.2"]),
        ("end.", ["end.", "end.1.", "end.2."]),
        ("猫.png", ["猫.png", "猫.1.png", "猫.2.png"]),
    ])
    func theNumberGoesBeforeTheExtension(name: String, expected: [String]) {
        let candidates = FileCandidates(name)
        #expect((0...2).map { candidates[$0] } == expected)
        for (index, candidate) in expected.enumerated() { #expect(candidates.index(of: candidate) == index) }
    }

    @Test(arguments: [
        "cat.png.1", "cat.0.png", "cat.01.png", "cat.x.png", "cat..png", "cat.+1.png", "dog.png", "cat.1",
    ])
    func otherNamesAreNoCandidates(name: String) {
        #expect(FileCandidates("cat.png").index(of: name) == nil)
    }

    /// A file system has two names there.
    @Test func aNameOfOtherBytesIsNoCandidateThoughItLooksTheSame() {
        let candidates = FileCandidates("\u{144}.txt")
        #expect(candidates.index(of: "\u{144}.1.txt") == 1)
        #expect(candidates.index(of: "n\u{301}.txt") == nil && candidates.index(of: "n\u{301}.1.txt") == nil)
    }

    /// What is too long with its number loses characters of its stem, not its extension.
    @Test(arguments: [
        String(repeating: "a", count: 196) + ".png", String(repeating: "é", count: 98) + ".png",
        String(repeating: "猫", count: 66), String(repeating: "a", count: 120) + "." + String(repeating: "b", count: 79),
        String(repeating: "👨‍👩‍👧", count: 10) + ".tar.gz", "a." + String(repeating: "b", count: 198),
    ])
    func aNumberedNameKeepsToTheLimit(name: String) throws {
        #expect(name.utf8.count > 180 && name.utf8.count <= 200)
        let candidates = FileCandidates(name)
        var seen: Set<String> = [candidates[0]]
        for index in [1, 9, 10, 99, 100, 12_345, FileCandidates.limit - 1] {
            let candidate = candidates[index]
            #expect(candidate.utf8.count <= 200 && candidate.contains(".\(index)"))
            #expect(candidates.index(of: candidate) == index)
            #expect(seen.insert(candidate).inserted)
            #expect(!name.hasSuffix(".png") || candidate.hasSuffix(".\(index).png"))
            #expect(!name.hasSuffix(".gz") || candidate.hasSuffix(".\(index).gz"))
        }
    }

    /// A name that a caller gave may be longer; its numbers make it no longer still.
    @Test func aLongNameOfTheCallersStaysAsLong() {
        let name = String(repeating: "a", count: 240) + ".png"
        let candidates = FileCandidates(name)
        #expect(candidates[0] == name)
        #expect(candidates[7] == String(repeating: "a", count: 238) + ".7.png")
        #expect(candidates.index(of: candidates[7]) == 7)
    }
}
