import SluiceCore
import Testing

@testable import SluicePipeline

struct PartRecordsTests {
    private let parts = PartRecords()

    private func record(_ key: String, _ name: String) -> PartRecord {
        PartRecord(
            key: key,
            location: PartLocation(directory: "/downloads", folder: nil, name: name, index: 0, inode: 1, born: 0),
            validator: nil,
            total: nil,
            finalURL: "http://test/\(key)"
        )
    }

    @Test func aPartBelongsToTheTaskThatLeftIt() {
        parts["old"] = record("old", "a.part")
        parts.add(record("new", "b.part"), of: TaskID(1), head: nil)
        #expect(!parts.isOwn("old", of: TaskID(1)), "it is of an earlier session")
        #expect(parts.isOwn("new", of: TaskID(1)) && !parts.isOwn("new", of: TaskID(2)))
        parts.add(record("new", "b.part"), of: TaskID(2), head: nil)
        #expect(!parts.isOwn("new", of: TaskID(1)))
    }

    @Test func nothingIsLeftOfAPartThatIsForgotten() {
        parts.add(record("a", "a.part"), of: TaskID(1), head: nil)
        parts["a"] = nil
        #expect(parts.isEmpty && parts.locations(without: "").isEmpty && !parts.isOwn("a", of: TaskID(1)))
        parts.add(record("b", "b.part"), of: TaskID(1), head: nil)
        parts.removeAll()
        #expect(parts.isEmpty && parts.locations(without: "").isEmpty && !parts.isOwn("b", of: TaskID(1)))
    }

    @Test func theLocationsOfOtherKeysAreTheNewestOnes() {
        parts.add(record("a", "a.part"), of: TaskID(1), head: nil)
        parts.add(record("b", "b.part"), of: TaskID(2), head: nil)
        parts.add(record("b", "c.part"), of: TaskID(2), head: nil)
        #expect(parts.locations(without: "a").map(\.name) == ["c.part"])
        #expect(parts.locations(without: "b").map(\.name) == ["a.part"])
    }
}
