import SluiceCore
import Testing

/// What looks the same and has other bytes: one scalar, and a letter with an accent.
struct ExactTextTests {
    private static let one = "caf\u{E9}"
    private static let other = "cafe\u{301}"

    @Test func whatLooksTheSameIsNotTheSame() {
        #expect(Self.one == Self.other, "to Swift")
        #expect(!Self.one.hasSameBytes(as: Self.other))
        #expect(Self.one.hasSameBytes(as: "caf\u{E9}"))
        #expect(Set([ExactText(Self.one), ExactText(Self.other), ExactText("caf\u{E9}")]).count == 2)
        // Of as many bytes: two accents in another order.
        #expect(!"a\u{323}\u{307}".hasSameBytes(as: "a\u{307}\u{323}"))
        #expect(Optional(Self.one).hasSameBytes(as: Self.one) && !Optional(Self.one).hasSameBytes(as: nil))
        #expect(Optional<String>.none.hasSameBytes(as: nil) && !Optional<String>.none.hasSameBytes(as: ""))
    }

    /// Two users, two headers, two destinations: never one download.
    @Test func whatIsSentIsComparedByItsBytes() {
        let users = [Self.one, Self.other].map { Credentials(user: "u", password: $0) }
        #expect(users[0] != users[1] && Set(users).count == 2)
        let fields = [Self.one, Self.other].map { HeaderField("X-A", $0) }
        #expect(fields[0] != fields[1] && Set(fields).count == 2)
        let keys =
            users.map { MergeKey(url: "http://h/a", credentials: $0) }
            + fields.map { MergeKey(url: "http://h/a", headers: [$0]) }
        #expect(Set(keys).count == 4)
        #expect(keys[0] == MergeKey(url: "http://h/a", credentials: Credentials(user: "u", password: Self.one)))
    }

    @Test func filesAreToldApartByTheBytesOfTheirPaths() {
        let files = [Self.one, Self.other].map { SavedFile(path: "/d/\($0)", size: 1, modified: 2) }
        #expect(files[0] != files[1] && !files[0].isSame(as: files[1]))
        #expect(files[0].isAt("/d/caf\u{E9}") && !files[0].isAt(files[1].path))
    }
}
