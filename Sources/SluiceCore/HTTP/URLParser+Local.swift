extension URLParser {
    /// The longest `data:` URL, in bytes; whatever is larger belongs into a file.
    private static let longestData = 1_048_576

    /// Parses a `file:` or `data:` URL, which name no server.
    ///
    /// - Parameter bytes: Without blanks around and controls within.
    /// - Returns: `nil` for every other scheme.
    /// - Throws: `badURL`, with what is wrong.
    static func local(_ bytes: [UInt8]) throws(DownloadError) -> Parsed? {
        if hasScheme("file:", bytes) { return try file(bytes[5...]) }
        if hasScheme("data:", bytes) { return try data(bytes[5...]) }
        return nil
    }

    static func isLocal(_ bytes: [UInt8]) -> Bool { hasScheme("file:", bytes) || hasScheme("data:", bytes) }

    private static func hasScheme(_ scheme: String, _ bytes: [UInt8]) -> Bool {
        bytes.prefix(scheme.utf8.count).elementsEqual(scheme.utf8) { byte, wanted in
            (65...90).contains(byte) ? byte + 32 == wanted : byte == wanted
        }
    }

    private static func file(_ rest: ArraySlice<UInt8>) throws(DownloadError) -> Parsed {
        var path = rest
        if rest.starts(with: "//".utf8) {
            let host = rest.dropFirst(2).prefix { !endsAuthority($0) }
            guard host.isEmpty || String(decoding: host, as: UTF8.self).lowercased() == "localhost" else {
                throw bad("file: names a file of this machine; write file:///path")
            }
            path = rest[host.endIndex...]
        }
        path = path.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard path.first == UInt8(ascii: "/"), path.count > 1 else {
            throw bad("file: needs an absolute path; write file:///path")
        }
        var parsed = Parsed()
        parsed.bytes += "file://".utf8
        (parsed.hostBounds, parsed.pathStart) = (7..<7, 7)
        append(path, to: &parsed)
        return parsed
    }

    private static func data(_ rest: ArraySlice<UInt8>) throws(DownloadError) -> Parsed {
        guard rest.contains(UInt8(ascii: ",")) else {
            throw bad("data: needs a comma before its content; write data:text/plain,hello")
        }
        guard rest.count <= longestData else {
            throw bad("a data: URL has at most \(longestData) bytes; save its content and use file:")
        }
        var parsed = Parsed()
        parsed.bytes += "data:".utf8
        (parsed.hostBounds, parsed.pathStart) = (5..<5, 5)
        append(rest.prefix { $0 != UInt8(ascii: "#") }, to: &parsed)
        return parsed
    }

    private static func append(_ tail: ArraySlice<UInt8>, to parsed: inout Parsed) {
        for byte in tail {
            if isPlain(byte) { parsed.bytes.append(byte) } else { PercentEncoding.append(byte, to: &parsed.bytes) }
        }
    }
}
