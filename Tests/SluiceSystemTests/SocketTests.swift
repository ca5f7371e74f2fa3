import CLinux
import Glibc
import SluiceCore
import SluiceSystem
import SluiceTestSupport
import Testing

/// Sockets with a path.
@Suite(.timeLimit(.minutes(5)))
struct SocketTests {
    /// Who waits for the file to appear connects at once.
    @Test func whoeverSeesTheFileIsLetIn() throws {
        let folder = try TemporaryDirectory()
        for round in 0..<300 {
            let path = "\(folder.path)/\(round)"
            let listener = Locked<Int32>(-1)
            let thread = WorkerThread {
                let descriptor = unsafe sluice_unix_listen(path, 8)
                listener.withLock { $0 = descriptor }
            }
            // It is there in some microseconds; the bound is for a machine that is busy elsewhere.
            let deadline = MonotonicClock.now() + .seconds(30)
            while unsafe access(path, F_OK) != 0, MonotonicClock.now() < deadline {}
            let connection = unsafe sluice_unix_connect(path)
            let error = errno
            thread.join()
            try #require(connection >= 0, "round \(round): \(unsafe String(cString: strerror(error)))")
            #expect(listener.withLock { $0 } >= 0)
            for descriptor in [connection, listener.withLock({ $0 })] where descriptor >= 0 { close(descriptor) }
            var status = stat()
            #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        #expect(FileTree.names(in: folder.path).count == 300)
    }

    @Test func aNameThatIsTakenStaysWhatItIs() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/s"
        // Of one that was killed before its socket had its name.
        let left = unsafe sluice_unix_listen(path + ".sluice-new", 8)
        close(left)
        let first = unsafe sluice_unix_listen(path, 8)
        #expect(first >= 0)
        #expect(unsafe sluice_unix_listen(path, 8) == -1 && errno == EEXIST)
        let connection = unsafe sluice_unix_connect(path)
        #expect(connection >= 0)
        for descriptor in [first, connection] { close(descriptor) }
    }

    @Test func aPathThatJustFitsIsTaken() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/" + String(repeating: "s", count: 106 - folder.path.utf8.count)
        let listener = unsafe sluice_unix_listen(path, 8)
        #expect(path.utf8.count == 107 && listener >= 0)
        close(listener)
        #expect(unsafe sluice_unix_listen(path + "s", 8) == -1 && errno == ENAMETOOLONG)
    }
}
