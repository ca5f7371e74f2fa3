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
        #expect(files.insert(new, key, isKept: isKept) == nil)
        files.remove(new, key)
        #expect(files.savedNow(key) == nil)
        #expect(files[key] == (isKept ? new : nil))
    }

    @Test(arguments: [false, true]) func aNewerFileGoesBeforeThatOfTheHistory(isKept: Bool) {
        var files = KnownFiles()
        files.restore(KnownFile(key: key.text, directory: "/d", file: old))
        #expect(files[key] == old)
        #expect(files.insert(new, key, isKept: isKept) == nil)
        #expect(files.all(key) == [new, old])
        files.remove(new, key)
        #expect(files[key] == (isKept ? new : old))
    }

    @Test func aPathThatAnotherKeyTakesIsForgotten() {
        var files = KnownFiles()
        _ = files.insert(new, key, isKept: true)
        let other = MergeKey(url: "http://h/b")
        #expect(files.insert(SavedFile(path: new.path, size: 3, modified: 3), other, isKept: true) == key.text)
        #expect(files[key] == nil)
        #expect(files[other]?.size == 3)
    }
}
