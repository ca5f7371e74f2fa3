/// Why a test could not start a program.
public struct SpawnError: Error, Equatable {
    public let path: String
    /// `errno` of the call that failed.
    public let code: Int32

    public init(path: String, code: Int32) { (self.path, self.code) = (path, code) }
}
