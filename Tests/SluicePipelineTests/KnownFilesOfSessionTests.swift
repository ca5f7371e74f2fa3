import SluiceCore
import Testing

@testable import SluicePipeline

/// What is known of the files of a session, and of a history beside it.
struct KnownFilesOfSessionTests {
    private let key = MergeKey(url: "http://h/a")
    private let old = SavedFile(path: "/d/old", size: 1, modified: 1)
    private let new = SavedFile(path: "/d/new", size: 2, modified: 2)

    @Test(arguments: [false, true]) func aFileThatIsGoneStaysInTheHistoryThatHasIt(isKept: Bool) {
        var files = KnownFiles()
        #expect(files.insert(new, key, isNamed: false, isKept: isKept) == nil)
        files.remove(new, key)
        #expect(files.savedNow(key) == nil)
        #expect(files[key] == (isKept ? new : nil))
    }

    @Test(arguments: [false, true]) func aNewerFileGoesBeforeThatOfTheHistory(isKept: Bool) {
        var files = KnownFiles()
        files.restore([KnownFile(key: key.text, directory: "/d", file: old)])
        #expect(files[key] == old)
        #expect(files.insert(new, key, isNamed: false, isKept: isKept) == nil)
        #expect(files.all(key) == [new, old])
        files.remove(new, key)
        #expect(files[key] == (isKept ? new : old))
    }

    @Test func aPathThatAnotherKeyTakesIsForgotten() {
        var files = KnownFiles()
        _ = files.insert(new, key, isNamed: false, isKept: true)
        let other = MergeKey(url: "http://h/b")
        let newest = SavedFile(path: new.path, size: 3, modified: 3)
        #expect(files.insert(newest, other, isNamed: false, isKept: true) == key.text)
        #expect(files[key] == nil)
        #expect(files[other]?.size == 3)
    }

    @Test func aPlaceThatARequestNamedIsForgottenWithItsFile() {
        var files = KnownFiles()
        _ = files.insert(new, key, isNamed: true, isKept: false)
        files.remove(new, key)
        #expect(!files.isNamed(new.path))
        // One that is another key's by now stays named.
        let other = MergeKey(url: "http://h/b")
        _ = files.insert(new, key, isNamed: false, isKept: false)
        _ = files.insert(new, other, isNamed: true, isKept: false)
        files.remove(new, key)
        #expect(files.isNamed(new.path))
    }

    @Test func theOldestSaveIsForgottenBeyondTheLimit() {
        func file(_ name: String) -> SavedFile { SavedFile(path: "/d/\(name)", size: 1, modified: 1) }
        func key(_ name: String, trust: String = "") -> MergeKey { MergeKey(url: "http://h/\(name)", trust: trust) }
        var files = KnownFiles(limit: 3)
        let earlier = key("a", trust: "x")
        files.restore([KnownFile(key: earlier.text, directory: "/d", file: old)])
        _ = files.insert(file("a"), key("a"), isNamed: false, isKept: true)
        _ = files.insert(file("b"), key("b"), isNamed: true, isKept: true)
        #expect(files.replaceable(key("a")) == ReplaceableFiles(own: [file("a")], inherited: [old]))
        _ = files.insert(file("a"), key("a"), isNamed: false, isKept: true)
        #expect(files.replaceable(key("a")).all == [file("a")], "what an earlier session saved is gone")
        _ = files.insert(file("c"), key("c"), isNamed: true, isKept: true)
        _ = files.insert(file("d"), key("d"), isNamed: false, isKept: true)
        #expect(files[key("a")] == file("a"), "it was saved again since")
        #expect(files[key("b")] == nil)
        #expect(!files.isNamed("/d/b") && files.isNamed("/d/c"))
        #expect(files.key(ofPath: "/d/b") == nil)
        _ = files.insert(file("b"), key("e"), isNamed: false, isKept: true)
        #expect(files[key("a")] == nil)
        #expect(files.key(ofPath: "/d/b")?.key == key("e"))
        #expect(files.all(key("c")) == [file("c")])
    }

    /// Keys as text tell what is behind the URL by 32 bits.
    @Test func anotherKeyOfTheSameTextHasNoFiles() {
        let (mine, theirs) = (MergeKey(url: "http://h/a", trust: "ioczw"), MergeKey(url: "http://h/a", trust: "sfbpa"))
        #expect(mine.text == theirs.text)
        #expect(mine != theirs)
        var files = KnownFiles()
        _ = files.insert(new, mine, isNamed: false, isKept: true)
        #expect(files[theirs] == nil)
        #expect(files.savedNow(theirs) == nil)
        #expect(files.all(theirs) == [])
        #expect(files.equals(theirs) == [])
        // The later one is known, and knows nothing of the other.
        _ = files.insert(old, theirs, isNamed: false, isKept: true)
        #expect(files.all(theirs) == [old])
        #expect(files.all(mine) == [])
    }
}
