import Glibc
import Testing

@testable import SluiceStore

/// Pages that are damaged on the disk.
extension Database {
    /// Where a table or an index begins.
    func page(of name: String) throws -> Int {
        try #require(try integer("SELECT rootpage FROM sqlite_master WHERE name = ?", .text(name)))
    }

    /// Fills a page of the file, counted from 1, with what no page has; nothing is in the log then.
    func damagePage(_ page: Int) throws {
        #expect(try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0, "nothing holds it up")
        let count = try #require(try integer("PRAGMA page_count"))
        #expect(page <= count, "else this shows nothing")
        let size = try #require(try integer("PRAGMA page_size"))
        let file = unsafe Glibc.open(path, O_WRONLY)
        defer { close(file) }
        let bytes = [UInt8](repeating: 0xFF, count: size)
        #expect(unsafe pwrite(file, bytes, size, off_t((page - 1) * size)) == size)
    }
}
