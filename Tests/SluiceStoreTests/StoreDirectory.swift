import Glibc
import SluiceTestSupport

/// A directory of its own for one test, gone with it, with the fixtures and looks that tests of the store need.
final class StoreDirectory {
    let path: String

    init() {
        var template = Array("/tmp/sluice-store-XXXXXX".utf8CString)
        let made = unsafe mkdtemp(&template) != nil
        precondition(made, "no temporary directory")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { FileTree.remove(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        precondition(descriptor >= 0, "can't write a fixture")
        let bytes = Array(text.utf8)
        precondition(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "can't write a fixture")
        close(descriptor)
    }

    /// `nil` if there is no such file; of a link, what it leads to.
    func read(_ name: String) -> String? { readBytes(name).map { String(decoding: $0, as: UTF8.self) } }

    func readBytes(_ name: String) -> [UInt8]? { FileTree.contents(of: file(name)) }

    /// Files in it that this process has open, whether they have names or not.
    var openFileCount: Int { FileTree.openCount(below: path) }

    /// Sorted.
    var names: [String] { FileTree.names(in: path) }
}

/// Reads from a descriptor's position to its end.
func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = unsafe read(descriptor, &buffer, 65_536), count > 0 { bytes += buffer.prefix(count) }
    return bytes
}
