import Glibc
import SluiceCore
import Testing

@testable import SluiceStore

/// What the system's numbers are told as.
@Suite(.timeLimit(.minutes(5)))
struct FileErrorTests {
    @Test(
        arguments: [
            (ENOSPC, .diskFull, "make room"), (EDQUOT, .diskFull, "make room"),
            (EMFILE, .ioError, "raise ulimit -n, or lower maxActive"), (ENFILE, .ioError, "end other programs"),
            (ENOTDIR, .ioError, "no folder"), (EACCES, .ioError, "Permission denied"),
        ] as [(Int32, DownloadError.Code, String)]
    )
    func aFailureNamesWhatWasTriedAndWhatHelps(number: Int32, code: DownloadError.Code, words: String) {
        let error = FileError.error(number, "create", "o/a.part")

        #expect(error.code == code)
        #expect(error.message.contains("create o/a.part") && error.message.contains(words), "\(error.message)")
    }

    /// In a file system where nobody makes folders, root neither; the next call finds nothing there.
    @Test func aFolderThatCanNotBeMadeIsToldByTheReasonOfThat() {
        let path = "/sys/sluice-test/a"

        let cache = #expect(throws: DownloadError.self) { _ = try ResponseFolder(path) }
        let directory = #expect(throws: DownloadError.self) { _ = try Folder.destination(path) }
        let database = #expect(throws: DatabaseError.self) { _ = try Database(path: path + "/a.db", migrations: []) }

        #expect(cache?.message.hasPrefix("can't make /sys/sluice-test/a") == true)
        #expect(directory?.message.hasPrefix("can't make /sys/sluice-test/a") == true)
        #expect(database?.message.hasPrefix("can't use /sys/sluice-test/a/a.db: ") == true)
        for message in [cache?.message, directory?.message, database?.message] {
            #expect(message?.contains("No such file") == false, "\(message ?? "")")
        }
    }
}
