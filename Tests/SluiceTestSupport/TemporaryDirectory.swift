public import Glibc

/// A directory of a test's own, removed with all it holds when the test ends.
public final class TemporaryDirectory: Sendable {
    /// Absolute.
    public let path: String

    public struct Failure: Error {}

    public init() throws {
        var template = Array("/tmp/sluice-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unsafe nftw(path, { path, _, _, _ in unsafe path.map { unsafe Glibc.remove($0) } ?? 0 }, 16, Int32(FTW_DEPTH.rawValue | FTW_PHYS.rawValue))
    }

    /// The names in it, sorted.
    public var names: [String] {
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// - Returns: The bytes of a file in it, or `nil` if there is none.
    public func contents(of name: String) -> [UInt8]? {
        let descriptor = unsafe open(path + "/" + name, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}
