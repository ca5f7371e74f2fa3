import Glibc
import SluiceCore
import SluiceTestSupport
import Testing

/// The folder in which programs find a dashboard by themselves: nobody else may come near the socket.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ControlFolderTests {
    /// Others could connect, or have put a socket of theirs there.
    @Test func aFolderThatOthersMayEnterGetsNoSocket() throws {
        try expectNoSocket(owner: geteuid(), mode: 0o755)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make it another's"))
    func aFolderOfAnotherUserGetsNoSocket() throws {
        try expectNoSocket(owner: 1, mode: 0o700)
    }

    /// Nobody makes folders there, root neither.
    @Test func aFolderThatCanNotBeMadeIsToldByTheReasonOfThat() throws {
        let dashboard = try DashboardScreen(environment: ["XDG_RUNTIME_DIR": "/sys/sluice-test"])
        #expect(try dashboard.wait { !$0.named("warning").isEmpty })
        let message = dashboard.events.named("warning").first?["message"]?.string ?? ""
        #expect(message.contains("can't make /sys/sluice-test/sluice: "), "\(message)")
        #expect(!message.contains("No such file"), "\(message)")
        try dashboard.quit()
    }

    private func expectNoSocket(owner: uid_t, mode: mode_t, _ location: SourceLocation = #_sourceLocation) throws {
        let scratch = try Scratch()
        let folder = scratch.home + "/sluice"
        try #require(unsafe mkdir(folder, 0o700) == 0, sourceLocation: location)
        try #require(unsafe chmod(folder, mode) == 0 && chown(folder, owner, getegid()) == 0, sourceLocation: location)

        let dashboard = try DashboardScreen(environment: ["XDG_RUNTIME_DIR": scratch.home], in: scratch)
        #expect(try dashboard.wait { !$0.named("warning").isEmpty }, sourceLocation: location)

        let warning = dashboard.events.named("warning").first
        #expect(warning?["code"]?.string == "control", sourceLocation: location)
        let message = warning?["message"]?.string ?? ""
        #expect(message.contains("\(folder) is not a folder of yours alone"), "\(message)", sourceLocation: location)
        #expect(FileTree.names(in: folder).isEmpty, sourceLocation: location)
        try dashboard.quit(location)
    }
}
