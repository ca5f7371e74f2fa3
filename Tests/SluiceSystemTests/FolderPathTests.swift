import CLinux
import Glibc
import SluiceSystem
import SluiceTestSupport
import Testing

/// Folders that are made with those above them.
@Suite(.timeLimit(.minutes(5)))
struct FolderPathTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func everyMissingFolderIsItsOwnersAlone() {
        FolderPath.make(directory.path + "/a//b/c/", for: .owner)
        #expect(["/a", "/a/b", "/a/b/c"].map(mode) == [0o700, 0o700, 0o700])
    }

    @Test func othersMayUseAFolderAsFarAsTheUmaskAllows() {
        let mask = umask(0)
        umask(mask)
        FolderPath.make(directory.path + "/a", for: .everybody)
        #expect(mode("/a") == 0o777 & ~mask)
    }

    @Test func whatIsThereStaysAsItIs() {
        FolderPath.make(directory.path + "/a", for: .everybody)
        let before = mode("/a")
        FolderPath.make(directory.path + "/a/b", for: .owner)
        #expect(mode("/a") == before && mode("/a/b") == 0o700)
    }

    @Test func aFileIsNotMadeAFolder() {
        FolderPath.make(above: directory.path + "/a/file", for: .owner)
        #expect(mode("/a") == 0o700 && mode("/a/file") == nil)
    }

    @Test func whatIsBelowAFileIsRefused() throws {
        let file = directory.path + "/file"
        let made = unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(made >= 0)
        close(made)
        #expect(FolderPath.make(file + "/a/b", for: .owner) == ENOTDIR)
        #expect(FolderPath.make(above: file + "/a", for: .owner) == 0, "something has that name")
    }

    /// What is below fails too, but only because it has no place.
    @Test func theFirstFolderThatCanNotBeMadeSaysWhy() {
        #expect([EPERM, EACCES, EROFS].contains(FolderPath.make("/sys/sluice-test/a/b", for: .owner)))
    }

    @Test func whatIsMadeOrThereIsNoFailure() {
        for _ in 1...2 { #expect(FolderPath.make(directory.path + "/a/b", for: .owner) == 0) }
    }

    /// Of a folder in the directory; `nil` if it is not there.
    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return unsafe stat(directory.path + name, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
