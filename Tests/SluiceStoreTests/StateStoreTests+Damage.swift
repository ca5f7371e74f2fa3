import SluiceCore
import Testing

@testable import SluiceStore

/// Numbers in the state file were changed on the disk, which SQLite does not notice.
extension StateStoreTests {
    private func open() throws -> Database {
        try Database(path: StateStore.path(in: directory.file("state")), migrations: StateFile.migrations)
    }

    @Test(
        arguments: [
            "place = 9223372036854775807", "place = -1", "place = 1000000", "total = -9223372036854775808",
            "total = 9223372036854775807",
        ]
    )
    func aPartWithADamagedNumberIsForgotten(damage: String) throws {
        directory.write("bytes", to: "here.part")
        // Was about to become a file, which is looked for under the names behind its own.
        var whole = part("whole", key: "b")
        whole.isWhole = true
        let first = store(keepsQueue: false)
        #expect(save([.part(part("here", key: "a")), .part(whole)], to: first) == nil)
        first.close()
        try open().run("UPDATE part SET \(damage)")
        #expect(load(store(keepsQueue: false)).parts.isEmpty)
        #expect(try open().integer("SELECT count(*) FROM part") == 0)
    }

    @Test func aKnownFileOfADamagedPlaceIsTheOldest() throws {
        func known(_ key: String) -> KnownFile {
            let file = SavedFile(path: directory.file(key), size: 1, modified: 0)
            return KnownFile(key: key, directory: directory.path, file: file)
        }
        let first = store(keepsQueue: false)
        #expect(save(["a", "b"].map { .file(known($0)) }, to: first) == nil)
        first.close()
        try open().run("UPDATE file SET place = 9223372036854775807 WHERE key = 'b'")
        let second = store(keepsQueue: false)
        #expect(load(second).files.map(\.key) == ["b", "a"])
        #expect(save([.file(known("c"))], to: second) == nil)
        second.close()
        #expect(load(store(keepsQueue: false)).files.map(\.key) == ["b", "a", "c"])
    }

    @Test func aKnownFileOfASizeThatCanNotBeIsNone() throws {
        let file = SavedFile(path: directory.file("a"), size: 1, modified: 0)
        let first = store(keepsQueue: false)
        #expect(save([.file(KnownFile(key: "a", directory: directory.path, file: file))], to: first) == nil)
        first.close()
        try open().run("UPDATE file SET size = -9223372036854775808")
        #expect(load(store(keepsQueue: false)).files.isEmpty)
    }
}
