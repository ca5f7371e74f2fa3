import Glibc
import SluiceTestSupport

/// The folders of one run of the program: its files, its home, and what is written about it.
final class Scratch {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        for path in [downloads, home] { unsafe mkdir(path, 0o700) }
    }

    /// Where the program runs, and saves by default.
    var downloads: String { path("files") }
    var home: String { path("home") }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// The names beside ``downloads`` and ``home``.
    var strays: [String] { folder.names.filter { !["files", "home", "events.jsonl"].contains($0) } }

    /// - Returns: Its path.
    @discardableResult
    func write(_ text: String, to name: String) -> String {
        let path = path(name)
        let file = unsafe fopen(path, "w")
        if let file = unsafe file {
            unsafe fputs(text, file)
            unsafe fclose(file)
        }
        return path
    }

    /// - Returns: The text of a file, or `nil` if there is none.
    func text(_ name: String) -> String? {
        folder.contents(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Returns: When a saved file was modified, in seconds since 1970.
    func modificationTime(_ name: String) -> Int? {
        var status = stat()
        return unsafe stat(downloads + "/" + name, &status) == 0 ? status.st_mtim.tv_sec : nil
    }
}
