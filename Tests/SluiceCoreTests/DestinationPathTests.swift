import SluiceCore
import Testing

/// Paths of destinations, as the system reads them.
struct DestinationPathTests {
    /// A mark that combines with a slash makes one letter of both, and the system sees a slash.
    @Test(arguments: ["../\u{301}x/evil.txt", "a/..\u{2F}\u{301}x", "..\u{2F}\u{20D2}b", "a/../b", ".."])
    func noSpellingLeadsUpwards(path: String) {
        #expect(DestinationPath.problem(with: path) != nil)
    }

    @Test func pathsAreSplitAtEverySlash() {
        let marked = DestinationPath.split("a/\u{301}b/c.txt")
        #expect(marked.folder.map { Array($0.utf8) } == Array("a/\u{301}b".utf8) && marked.name == "c.txt")
        let last = DestinationPath.split("a/\u{301}c.txt")
        #expect(last.folder == "a" && Array(last.name.utf8) == Array("\u{301}c.txt".utf8))
        let absolute = DestinationPath.split("/tmp/x/c.txt")
        #expect(absolute.directory == "/tmp/x" && absolute.folder == nil && absolute.name == "c.txt")
        #expect(DestinationPath.split("/c").directory == "/" && DestinationPath.split("./a//b").folder == "a")
    }
}
