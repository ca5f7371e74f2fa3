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
}
