/// What a session adds to the calls of programs outside.
public struct ControlContext: Sendable {
    /// Reads a file of certificates or keys as a whole.
    public typealias FileReading = @Sendable (_ path: String) throws(TrustError) -> [UInt8]
    /// Whether a policy's certificates and keys can be used; throws what is wrong with them.
    public typealias TrustChecking = @Sendable (TrustPolicy) throws(TrustError) -> Void

    /// Whether bodies are saved at all.
    public let saves: Bool
    let readFile: FileReading
    let checkTrust: TrustChecking

    /// - Parameters:
    ///   - saves: Whether bodies are saved at all.
    ///   - readFile: For pins, authorities and client certificates; without it there are none in files.
    ///   - checkTrust: Asked before a policy is put in force.
    public init(
        saves: Bool,
        readFile: @escaping FileReading = { path throws(TrustError) in throw TrustError("\(path): no file is read here")
        },
        checkTrust: @escaping TrustChecking = { _ in }
    ) {
        (self.saves, self.readFile, self.checkTrust) = (saves, readFile, checkTrust)
    }

    /// The options of a request that names none.
    var options: RequestOptions { saves ? .standard : RequestOptions(saves: false) }
}
