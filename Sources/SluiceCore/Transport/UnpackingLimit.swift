/// How many times its size a body may unpack to; more is a bomb.
///
/// One rule for those who unpack and for those who take what comes of it: what lies between two codings never reaches
/// the latter, and may be endless where nothing comes out in the end.
public enum UnpackingLimit: Int, Sendable {
    /// For what is an image, or must be one.
    case images = 100
    /// For all else, and for what lies between two codings.
    case files = 1000

    /// Unpacked bytes that are never a bomb, however few they were.
    private static let threshold = 10_485_760

    /// Stops a bomb.
    ///
    /// - Parameters:
    ///   - unpacked: Bytes that were made so far.
    ///   - received: Bytes as sent that they were made of.
    /// - Throws: `tooLarge` if that is too much.
    public func judge(_ unpacked: Int, received: Int) throws(DownloadError) {
        guard unpacked > Self.threshold, unpacked / max(1, received) >= rawValue else { return }
        throw DownloadError(.tooLarge, "it unpacks to more than \(rawValue) times its size, which no honest file does")
    }
}
