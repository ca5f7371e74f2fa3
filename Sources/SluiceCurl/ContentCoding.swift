import SluiceCore

/// One way in which a server packs a body, as `Content-Encoding` names it.
enum ContentCoding: Equatable {
    case gzip
    /// With zlib's frame around it, as it should be, or without, as some servers send it.
    case deflate
    case brotli
    case zstd
    /// Lower-cased; what it packs can't be read.
    case unknown(String)

    /// More than that is a mistake or an attack; curl has the same limit.
    private static let most = 5

    /// Reads all fields that name codings.
    ///
    /// - Parameter values: In order; each may be a list.
    /// - Returns: In the order in which the server applied them, without those that change nothing.
    /// - Throws: `badResponse` if there are too many.
    static func read(_ values: [String]) throws(DownloadError) -> [ContentCoding] {
        let names = values.flatMap { $0.split { $0 == "," || $0 == " " || $0 == "\t" } }
        guard names.count <= most else {
            throw DownloadError(.badResponse, "the answer is encoded \(names.count) times, more than \(most)")
        }
        return names.compactMap { named($0.lowercased()) }
    }

    private static func named(_ name: String) -> ContentCoding? {
        switch name {
        case "identity", "none", "chunked": nil
        case "gzip", "x-gzip": .gzip
        case "deflate": .deflate
        case "br": .brotli
        case "zstd": .zstd
        default: .unknown(name)
        }
    }

    var name: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        case .unknown(let name): name
        }
    }
}
