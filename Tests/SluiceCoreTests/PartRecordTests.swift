import SluiceCore
import Testing

struct PartRecordTests {
    /// An inode alone may have been another file's meanwhile; a date may be that of two versions.
    @Test(arguments: [(1, true, false), (0, true, true), (1, false, true), (0, false, true)])
    func whatIsNoProofByItselfIsCompared(born: Int64, isTag: Bool, isCompared: Bool) throws {
        let record = PartRecord(
            key: "a",
            location: PartLocation(directory: "/d", folder: nil, name: "a", index: 0, inode: 12, born: born),
            validator: isTag ? .entityTag("\"v1\"") : .lastModified("Sun, 06 Nov 1994 08:49:37 GMT"),
            total: 9,
            finalURL: "http://test/a"
        )
        #expect((record.overlap > 0) == isCompared)
    }
}
