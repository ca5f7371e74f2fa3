import CLinux
import Glibc
import SluiceSystem
import SluiceTestSupport
import Testing

struct TemporaryFolderTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a folder with a file in it, two minutes ago.
    private func make(_ name: String, mode: mode_t = 0o700) {
        let path = directory.path + "/" + name
        unsafe mkdir(path, 0o700)
        close(unsafe open(path + "/picture.jpg", O_CREAT | O_WRONLY, 0o600))
        unsafe chmod(path, mode)
        let time = timespec(tv_sec: Glibc.time(nil) - 120, tv_nsec: 0)
        unsafe utimensat(AT_FDCWD, path, [time, time], 0)
    }

    @Test func itIsThereUntilItIsRemoved() {
        guard let folder = TemporaryFolder(in: directory.path, startingWith: "demo.") else {
            Issue.record("\(directory.path) can be written to")
            return
        }
        #expect(directory.names.map { directory.path + "/" + $0 } == [folder.path])
        folder.remove()
        #expect(directory.names.isEmpty)
    }

    /// What somebody named himself is his, whatever it starts with.
    @Test func onlyWhatAProcessMadeIsALeftover() {
        make("demo.aZ09bc")
        let own = [
            "demo.", "demo.my-pictures", "demo.a", "demo.abcdefg", "demo.abc-ef", "demo.ab\u{E9}f", "other.aZ09bc",
        ]
        for name in own { make(name) }
        make("demo.shared", mode: 0o755)
        TemporaryFolder.removeLeftovers(in: directory.path, startingWith: "demo.")
        #expect(directory.names == (own + ["demo.shared"]).sorted())
        for name in directory.names { #expect(FileTree.names(in: directory.path + "/" + name) == ["picture.jpg"]) }
    }
}
