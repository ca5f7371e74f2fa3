import Glibc
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Lists, commands and the prompt of the real program, as somebody at a terminal uses them.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct DashboardListTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { _, _ in .text("text") }
    }

    private func start(
        _ paths: [String],
        _ options: [String] = [],
        environment: [String: String] = [:],
        in scratch: Scratch? = nil
    ) throws -> DashboardScreen {
        origin.hold()
        let urls = paths.map { origin.url("/" + $0) }
        let dashboard = try DashboardScreen(options + urls, environment: environment, in: scratch)
        #expect(try dashboard.wait { $0.submissions.count == paths.count }, "\(dashboard.screen.text)")
        return dashboard
    }

    @Test func theQueueIsFilteredAndWhatMatchesIsAborted() throws {
        let names = (1...4).map { "run-\($0)" } + (1...6).flatMap { ["cat-\($0).png", "dog-\($0).png"] }
        let dashboard = try start(names)
        dashboard.type("2/cat")
        #expect(dashboard.shows("6 rows match"), "\(dashboard.screen.text)")
        #expect(dashboard.hides("dog-1.png"))
        dashboard.type("\r\u{1}")
        #expect(dashboard.shows("6 selected"), "\(dashboard.screen.text)")
        dashboard.type("x")
        #expect(try dashboard.wait { $0.taskOutcomes == Array(repeating: "cancelled", count: 6) })
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("dog-1.png") && dashboard.shows("6 queued"), "\(dashboard.screen.text)")
        dashboard.type("/6.png")
        #expect(dashboard.shows("1 row matches"), "\(dashboard.screen.text)")
        dashboard.type("\u{1B}")
        #expect(dashboard.hides("filter ›"), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.shows("2–6 of 6"), "\(dashboard.screen.text)")
        dashboard.type("x")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 7 }, "\(dashboard.screen.text)")
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 16 })
        try dashboard.quit()
        #expect(dashboard.files == (["run-1", "run-2", "run-3", "run-4"] + (1...5).map { "dog-\($0).png" }).sorted())
    }

    @Test func theListThatIsTypedIsLookedInto() throws {
        let scratch = try Scratch()
        let lines = "# two\nhttp://a.example/1\n\nhttp://a.example/2\nno URL\n"
        let list = scratch.write(lines, to: "two.txt")
        let long = (1...200_000).map { "http://a.example/\($0)\n" }.joined()
        let longList = scratch.write(long, to: "long.txt")
        let pipe = scratch.path("pipe")
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        #expect(isMade)
        let dashboard = try DashboardScreen([], width: 160, height: 36, in: scratch)
        dashboard.type("@" + list)
        #expect(dashboard.shows("1 list, 2 URLs in it, 1 no URL"), "\(dashboard.screen.text)")
        dashboard.type("x")
        #expect(dashboard.shows("1 list, no such file"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}@" + String(list.dropLast(8)))
        #expect(dashboard.shows("1 list, a folder"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}@" + longList)
        #expect(dashboard.shows("1 list, at least "), "\(dashboard.screen.text)")
        let writer = try ChildProcess("/bin/sh", arguments: ["-c", "echo http://a.example/3 > \"$0\"", pipe])
        dashboard.type("\u{15}@" + pipe)
        #expect(dashboard.hides("at least "), "\(dashboard.screen.text)")
        dashboard.type("\u{15}@" + list)
        #expect(dashboard.shows("1 list, 2 URLs in it"), "a pipe is not waited for: \(dashboard.screen.text)")
        #expect(writer.waitForExit(within: .milliseconds(200)).exit == nil, "nobody opened it for reading")
        let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK)
        #expect(writer.waitForExit().exit == .exited(0))
        close(reader)
        dashboard.type("\u{15}")
        #expect(dashboard.hides("in it"), "\(dashboard.screen.text)")
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("a to type"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func aListThatIsNoneOrTooLongIsRefused() throws {
        let scratch = try Scratch()
        let path = scratch.write("", to: "movie.mkv")
        // Without a byte of it on the disk.
        let isMade = unsafe truncate(path, 8_000_000_000) == 0
        try #require(isMade)
        let dashboard = try DashboardScreen([], width: 200, height: 36, in: scratch)
        dashboard.type("@/dev/zero\r")
        #expect(dashboard.shows("can't read the list /dev/zero: it is a device"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}@" + path + "\r")
        #expect(dashboard.shows("it has more than 128 MiB or 4,000,000 lines"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}")
        #expect(dashboard.hides("128 MiB"), "\(dashboard.screen.text)")
        dashboard.type("\u{1B}")
        #expect(dashboard.shows("a to type"), "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func rowsThatAreSelectedOneByOneAreSteeredTogether() throws {
        let dashboard = try start((1...8).map { "\($0).txt" })
        #expect(dashboard.shows("4 queued"), "\(dashboard.screen.text)")
        dashboard.type("2 j ")
        #expect(dashboard.shows("2 selected"), "\(dashboard.screen.text)")
        dashboard.type("B")
        #expect(try dashboard.wait { $0.named("task.moved").count == 2 }, "\(dashboard.screen.text)")
        #expect(dashboard.events.named("task.moved").map { $0["task"]?.int } == [5, 7])
        dashboard.type("x")
        #expect(try dashboard.wait { $0.taskOutcomes == ["cancelled", "cancelled"] })
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 8 })
        try dashboard.quit()
        #expect(dashboard.files == ["1.txt", "2.txt", "3.txt", "4.txt", "6.txt", "8.txt"])
    }

    @Test func aFileIsDeletedAfterAQuestionThatNamesIt() throws {
        let dashboard = try DashboardScreen([origin.url("/a.txt"), origin.url("/b.txt")])
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 })
        dashboard.type("8")
        // Not the count alone: the list of what is active has one too.
        #expect(dashboard.shows("▌✓ ") && dashboard.shows("1 of 2"), "\(dashboard.screen.text)")
        dashboard.type("/a.txt\r")
        #expect(dashboard.shows("1 of 1") && dashboard.hides("filter ›"), "\(dashboard.screen.text)")
        dashboard.type("D")
        #expect(dashboard.shows("delete 1 file") && dashboard.shows("/files/a.txt"), "\(dashboard.screen.text)")
        dashboard.type("n")
        #expect(dashboard.hides("delete 1 file"))
        #expect(dashboard.files == ["a.txt", "b.txt"])
        dashboard.type("Dy")
        #expect(try dashboard.wait { $0.named("warning").contains { $0["code"]?.string == "fileDeleted" } })
        #expect(dashboard.files == ["b.txt"])
        try dashboard.quit()
    }

    /// Somebody may write a pipe later, or never: no image waits for that.
    @Test func listsThatNobodyWritesKeepNoImageWaiting() throws {
        let scratch = try Scratch()
        let image = ImageEncoder.png(OriginImages.draw(.cover, width: 60, height: 40))
        origin.route("/a.png", .bytes(image, type: "image/png"))
        let dashboard = try DashboardScreen(in: scratch)
        for number in 1...sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 1 {
            let pipe = scratch.path("pipe\(number)")
            let isMade = unsafe mkfifo(pipe, 0o600) == 0
            try #require(isMade)
            dashboard.type("@\(pipe)\r")
        }
        dashboard.type(origin.url("/a.png") + "\r")
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] }, "\(dashboard.screen.text)")
        try dashboard.quit()
    }

    @Test func aSavedFileIsOpenedWithoutAShell() throws {
        let scratch = try Scratch()
        let folder = scratch.home + "/bin"
        unsafe mkdir(folder, 0o700)
        let opener = scratch.write(
            "#!/bin/sh\nprintf '%s' \"$1\" > \"$HOME/opened\"\n",
            to: "home/bin/xdg-open"
        )
        unsafe chmod(opener, 0o700)
        // A pipe with a name wakes whoever waits for the opener.
        unsafe mkfifo(scratch.home + "/opened", 0o600)
        let opened = unsafe open(scratch.home + "/opened", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(opened) }
        let dashboard = try DashboardScreen(
            [origin.url("/a%20$(touch%20pwned)%20b.txt")],
            environment: ["PATH": folder + ":/usr/bin:/bin"],
            in: scratch
        )
        #expect(try dashboard.wait { $0.taskOutcomes == ["success"] })
        dashboard.type("8")
        #expect(dashboard.shows("▌✓ "), "\(dashboard.screen.text)")
        dashboard.type("o")
        var ready = pollfd(fd: opened, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&ready, 1, 20_000) == 1, "\(dashboard.screen.text)")
        let path = unsafe String(unsafeUninitializedCapacity: 4096) { bytes in
            unsafe max(0, read(opened, bytes.baseAddress, 4096))
        }
        let name = try #require(dashboard.files.first)
        #expect(path.hasSuffix("/files/" + name))
        try dashboard.quit()
        #expect(dashboard.files == [name] && name.contains("touch"))
    }

    @Test func commandsChangeSettingsAndSayWhatIsWrong() throws {
        let dashboard = try start((1...6).map { "\($0).txt" })
        dashboard.type(":set maxActive 2\r")
        #expect(try dashboard.wait { $0.named("settings.changed").map { $0["to"]?.int } == [2] })
        #expect(dashboard.shows("maxActive is 2"), "\(dashboard.screen.text)")
        dashboard.type(":order up\r")
        #expect(dashboard.shows("order can be fifo or lifo, not \"up\""), "\(dashboard.screen.text)")
        dashboard.type("\u{17}lifo\r")
        #expect(try dashboard.wait { $0.named("settings.changed").last?["to"]?.string == "lifo" })
        dashboard.type(":prge\r")
        #expect(dashboard.shows("did you mean :purge?"), "\(dashboard.screen.text)")
        dashboard.type("\u{15}:limitR\t5M\r")
        #expect(try dashboard.wait { $0.named("settings.changed").last?["to"]?.int == 5_242_880 })
        dashboard.type(":cancel all\ry")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 6 })
        try dashboard.quit()
        let history = dashboard.scratch.text("home/state/sluice/prompt-history") ?? ""
        #expect(history.split(separator: "\n").last == ":cancel all", "\(history)")
    }

    @Test func aListIsImportedFromTheHomeFolderWithCompletion() throws {
        let scratch = try Scratch()
        scratch.write("\(origin.url("/1.txt"))\n\(origin.url("/2.txt"))\n", to: "home/my-urls.txt")
        let dashboard = try DashboardScreen(in: scratch)
        dashboard.type("@~/my-\t")
        #expect(dashboard.shows("@~/my-urls.txt"), "\(dashboard.screen.text)")
        dashboard.type("\r")
        #expect(try dashboard.wait { $0.taskOutcomes.count == 2 }, "\(dashboard.screen.text)")
        try dashboard.quit()
        #expect(dashboard.files == ["1.txt", "2.txt"])
    }

    @Test func whatWouldMergeIsCountedWhileItIsTyped() throws {
        let dashboard = try start(["1.txt", "2.txt"])
        dashboard.type("a" + origin.url("/[1-4].txt"))
        #expect(dashboard.shows("4 URLs, 2 merge"), "\(dashboard.screen.text)")
        dashboard.type("\r")
        #expect(try dashboard.wait { $0.submissions.count == 6 })
        #expect(dashboard.events.submissions.filter { $0 == "joined" }.count == 2)
        origin.release()
        #expect(try dashboard.wait { $0.taskOutcomes.count == 4 })
        try dashboard.quit()
    }

    @Test func tenThousandPastedURLsAreOneLineAndThenTasks() throws {
        let dashboard = try start(["run-1", "run-2", "run-3", "run-4"])
        let urls = (1...10_000).map { origin.url("/\($0)") }
        dashboard.paste(urls.joined(separator: "\r"))
        #expect(dashboard.shows("10,000 URLs: add them?"), "\(dashboard.screen.text)")
        dashboard.type("\r")
        #expect(dashboard.shows("10,000 queued"), "\(dashboard.screen.text)")
        dashboard.type("2G")
        #expect(dashboard.shows("10,000 of 10,000"), "\(dashboard.screen.text)")
        dashboard.type(":cancel all\ry")
        #expect(dashboard.shows("all tasks aborted"), "\(dashboard.screen.text)")
        origin.release()
        dashboard.type("qq")
        #expect(dashboard.terminal.waitForExit() == .exited(0), "\(dashboard.screen.text)")
    }

    @Test func keysAreThoseOfTheConfiguration() throws {
        let scratch = try Scratch()
        let config = scratch.write("[keys]\nabort = [\"f5\", \"ctrl+k\"]\npause = \"x\"\n", to: "home/c.toml")
        let dashboard = try start(["1.txt"], ["--config", config], in: scratch)
        #expect(dashboard.shows("F5 abort") && dashboard.shows("1.txt"), "\(dashboard.screen.text)")
        dashboard.type("x")
        #expect(try dashboard.wait { $0.named("task.suspended").count == 1 })
        dashboard.type("\u{B}")
        #expect(try dashboard.wait { $0.taskOutcomes == ["cancelled"] })
        origin.release()
        try dashboard.quit()
    }

    @Test(arguments: [
        ("[keys]\nabort = \"p\"\n", "c.toml:2: p is the key of pause and of abort"),
        ("[keys]\nabrot = \"y\"\n", "c.toml:2: keys.abrot: there is no such action; did you mean abort?"),
        ("\n[keys]\nabort = \"hyper+x\"\n", "c.toml:3: keys.abort: no key is called \"hyper+x\""),
        ("[keys.prompt]\nyank = \"y\"\n", "c.toml:2: keys.prompt.yank: \"y\" is typed at the prompt"),
        ("[keys]\nabort = 5\n", "c.toml:2: abort can be the name of a key"),
    ])
    func badKeysEndTheProgramWithFileAndLine(text: String, message: String) throws {
        let scratch = try Scratch()
        let config = scratch.write(text, to: "home/c.toml")
        let (_, result) = try GetRun.run(["--config", config, origin.url("/1.txt")], in: scratch)
        #expect(result.exit == .exited(2))
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}
