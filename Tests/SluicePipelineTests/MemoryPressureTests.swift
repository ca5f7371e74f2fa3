import Glibc
import SluiceTestSupport
import Testing

@testable import SluicePipeline

/// Where the kernel tells that memory is short, and what of it counts.
struct MemoryPressureTests {
    @Test(
        "the process's control group is found",
        arguments: [
            ("0::/\n", ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]),
            (
                "9:name=systemd:/\n4:memory:/a\n0::/user.slice/b c.scope\n",
                ["/sys/fs/cgroup/user.slice/b c.scope", "/sys/fs/cgroup/unified/user.slice/b c.scope"]
            ),
            ("4:memory:/a\n", []), ("", []),
        ]
    )
    func groups(table: String, folders: [String]) {
        #expect(MemoryPressureSource.groups(table) == folders)
    }

    @Test("only limits that were run into count")
    func shortages() {
        let events = "low 5\nhigh 2\nmax 30\noom 400\noom_kill 7000\nsock_throttled 9\nhigh x\n"
        #expect(MemoryPressureSource.shortages(in: Array(events.utf8)) == 432)
        #expect(MemoryPressureSource.shortages(in: []) == 0)
    }

    @Test("the trigger is one that anybody may set: its window is of whole two seconds")
    func trigger() throws {
        let words = MemoryPressureSource.trigger.split(separator: " ")
        let (stall, window) = (try #require(Int(words[1])), try #require(Int(words[2])))
        #expect(words[0] == "some" && stall < window && window % 2_000_000 == 0 && window <= 10_000_000)
    }

    @Test("a group's events are a source where there is no pressure information, and each growth of them is news")
    func events() throws {
        let folder = try TemporaryDirectory()
        let missing = folder.path + "/missing"
        #expect(MemoryPressureSource.open(system: missing, groups: [missing]) == nil)
        #expect(FileTree.write("high 1\nmax 0\n", to: folder.path + "/memory.events"))
        var source = try #require(MemoryPressureSource.open(system: missing, groups: [missing, folder.path]))
        defer { source.close() }
        #expect(source.take(0) == false)
        #expect(source.take(Int16(POLLPRI | POLLERR)) == false, "nothing grew")
        #expect(FileTree.write("high 1\nmax 2\n", to: folder.path + "/memory.events"))
        #expect(source.take(Int16(POLLPRI | POLLERR)) == true)
        #expect(source.take(Int16(POLLPRI | POLLERR)) == false)
    }
}
