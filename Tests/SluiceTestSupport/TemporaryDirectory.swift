import Glibc

/// A directory of a test's own, removed with all it holds when the test ends.
public final class TemporaryDirectory: Sendable {
    /// Absolute.
    public let path: String

    public struct Failure: Error {}

    /// Makes the directory in `parent`.
    public init(in parent: String = "/tmp") throws {
        var template = Array((parent + "/sluice-test-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure() }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { FileTree.remove(path) }

    /// The names in it, sorted.
    public var names: [String] { FileTree.names(in: path) }

    /// - Returns: The bytes of a file in it, or `nil` if there is none.
    public func contents(of name: String) -> [UInt8]? { FileTree.contents(of: path + "/" + name) }
}
