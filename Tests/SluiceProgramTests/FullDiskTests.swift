import Glibc
import SluiceCore
import SluiceOrigin
import SluiceTestSupport
import Testing

/// A disk that is full, in earnest: a small file system in memory.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskTests {
    private let origin: Origin

    init() throws {
        origin = try Origin()
        origin.setFallback { request, _ in
            var answer = OriginResponse.resource(.pattern(count: 900_000), for: request, etag: "\"1\"")
            // Nobody knows beforehand how much comes.
            if request.header("range") == nil { answer.framing = .chunked() }
            return answer
        }
    }

    @Test(.enabled(if: SmallDisk.isPermitted)) func theDashboardWaitsForRoomAndLosesNothing() throws {
        let disk = try SmallDisk()
        let scratch = try Scratch()
        let filler = disk.path + "/filler"
        #expect(disk.fill("filler", leaving: 400_000))
        let urls = (1...3).map { origin.url("/\($0).bin") }
        let screen = try DashboardScreen(urls + ["--dir", disk.path, "--max-active", "2"], width: 120, in: scratch)
        #expect(screen.shows("disk full"))
        #expect(try screen.wait { $0.named("warning").contains { $0["code"]?.string == "diskFull" } })
        #expect(screen.events.taskOutcomes == [])
        #expect(FileTree.names(in: disk.path).allSatisfy { $0 == "filler" || $0.hasSuffix(".part") })
        unsafe unlink(filler)
        #expect(try screen.wait { $0.taskOutcomes.count == 3 })
        #expect(screen.events.taskOutcomes == ["success", "success", "success"])
        #expect(screen.hides("disk full"))
        #expect(FileTree.names(in: disk.path) == ["1.bin", "2.bin", "3.bin"])
        for name in ["1.bin", "2.bin", "3.bin"] {
            #expect(FileTree.contents(of: disk.path + "/" + name) == pattern(900_000))
        }
        try screen.quit()
    }

    @Test(arguments: [0, 12, 20_000]) func whatHasNoRoomIsRefusedByItsLengthAlone(arrived: Int) throws {
        var answer = OriginResponse(body: .pattern(count: 9_000_000_000_000_000))
        answer.fault = .stall(after: arrived)
        origin.route("/huge.bin", answer)
        let (_, result) = try GetRun.run([origin.url("/huge.bin")])
        #expect(result.exit == .exited(9), "\(result.errors)")
        #expect(result.errors.contains("huge.bin needs 9000000000000000 bytes"), "\(result.errors)")
        #expect(result.files.isEmpty)
    }

    @Test func theRestOfAPartNeedsRoomToo() throws {
        let total = 9_000_000_000_000_000
        origin.route("/huge.bin") { request, _ in
            let isRest = request.header("range") != nil
            var answer = OriginResponse(
                isRest ? 206 : 200,
                headers: [HeaderField("ETag", "\"1\"")],
                body: .pattern(count: isRest ? total - 500_000 : 900_000)
            )
            if isRest {
                answer.headers.append(HeaderField("Content-Range", "bytes 500000-\(total - 1)/\(total)"))
                answer.fault = .stall(after: 0)
            } else {
                answer.framing = .chunked()
                answer.fault = .close(after: 500_000)
            }
            return answer
        }
        let (_, result) = try GetRun.run(["--retries", "1", origin.url("/huge.bin")])
        #expect(result.exit == .exited(9), "\(result.errors)")
        #expect(result.files == ["huge.bin.part"])
    }

    /// Small bodies come whole, and get their files in one go.
    private func offerSmallOnes() -> [String] {
        (1...40).map { number in
            origin.route("/\(number).txt", OriginResponse(body: .pattern(count: 20_000)))
            return origin.url("/\(number).txt")
        }
    }

    /// The names of small files on the disk, each of which must be whole.
    private func wholeOnes(_ disk: SmallDisk) -> [String] {
        let names = FileTree.names(in: disk.path).filter { $0.hasSuffix(".txt") }
        for name in names {
            #expect(FileTree.contents(of: disk.path + "/" + name) == pattern(20_000), "\(name)")
        }
        return names
    }

    @Test(.enabled(if: SmallDisk.isPermitted)) func theDashboardWaitsForRoomForSmallFilesToo() throws {
        let disk = try SmallDisk()
        let scratch = try Scratch()
        let urls = offerSmallOnes()
        #expect(disk.fill("filler", leaving: 200_000))
        let screen = try DashboardScreen(urls + ["--dir", disk.path], width: 120, in: scratch)
        #expect(screen.shows("disk full"))
        #expect(wholeOnes(disk).count < 11)
        #expect(screen.events.taskOutcomes.allSatisfy { $0 == "success" })
        unsafe unlink(disk.path + "/filler")
        #expect(try screen.wait { $0.taskOutcomes.count == 40 })
        #expect(screen.events.taskOutcomes.allSatisfy { $0 == "success" })
        #expect(screen.hides("disk full"))
        #expect(wholeOnes(disk).count == 40)
        try screen.quit()
    }

    @Test(.enabled(if: SmallDisk.isPermitted)) func aCommandLeavesNoSmallFileThatIsNotWhole() throws {
        let disk = try SmallDisk()
        let scratch = try Scratch()
        let urls = offerSmallOnes()
        #expect(disk.fill("filler", leaving: 200_000))
        let (_, full) = try GetRun.run(urls + ["--dir", disk.path], in: scratch)
        #expect(full.exit == .exited(9), "\(full.errors)")
        #expect(wholeOnes(disk).count < 11)
        unsafe unlink(disk.path + "/filler")
        let (_, result) = try GetRun.run(urls + ["--dir", disk.path], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(wholeOnes(disk).count == 40, "each was saved once")
    }

    @Test(.enabled(if: SmallDisk.isPermitted)) func aCommandEndsWithNineAndKeepsTheParts() throws {
        let disk = try SmallDisk()
        let scratch = try Scratch()
        #expect(disk.fill("filler", leaving: 400_000))
        let (_, full) = try GetRun.run([origin.url("/1.bin"), "--dir", disk.path], in: scratch)
        #expect(full.exit == .exited(9), "\(full.errors)")
        #expect(FileTree.names(in: disk.path) == ["1.bin.part", "filler"])
        unsafe unlink(disk.path + "/filler")
        let (_, result) = try GetRun.run([origin.url("/1.bin"), "--dir", disk.path], in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(FileTree.contents(of: disk.path + "/1.bin") == pattern(900_000))
    }

    @Test(.enabled(if: SmallDisk.isPermitted)) func eventsEndWithAWholeLine() throws {
        let disk = try SmallDisk()
        let scratch = try Scratch()
        let urls = offerSmallOnes()
        #expect(disk.fill("filler", leaving: 8_192))
        let path = disk.path + "/events"
        let (_, result) = try GetRun.run(urls + ["--events", path, "--no-save"], events: .nowhere, in: scratch)
        #expect(result.exit == .exited(0), "\(result.errors)")
        #expect(result.errors.contains("--events \(path): No space left on device"), "\(result.errors)")
        let lines = String(decoding: FileTree.contents(of: path) ?? [], as: UTF8.self)
        #expect(lines.utf8.count > 4_096 && lines.hasSuffix("}\n"))
    }
}

/// A file system of 4 MiB in memory, gone with this object.
private final class SmallDisk {
    private let folder: TemporaryDirectory
    var path: String { folder.path }

    /// Whether the tests may make one; where all must be proven, they have to.
    static let isPermitted: Bool = {
        if unsafe getenv("SLUICE_STRICT") != nil { return true }
        do { return try !SmallDisk().path.isEmpty } catch { return false }
    }()

    struct NotPermitted: Error, CustomStringConvertible {
        let description = "mounting a file system takes root: run the tests as root to see a full disk"
    }

    init() throws {
        folder = try TemporaryDirectory()
        let mounting = try ChildProcess(
            "/bin/mount",
            arguments: ["-t", "tmpfs", "-o", "size=4m", "sluice", folder.path]
        )
        if mounting.finish().exit != .exited(0) { throw NotPermitted() }
    }

    deinit { _ = try? ChildProcess("/bin/umount", arguments: ["-l", folder.path]).finish() }

    /// Writes a file that leaves so many bytes.
    func fill(_ name: String, leaving rest: Int) -> Bool {
        let file = unsafe open(path + "/" + name, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        return posix_fallocate(file, 0, 4_194_304 - rest) == 0
    }
}
