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
