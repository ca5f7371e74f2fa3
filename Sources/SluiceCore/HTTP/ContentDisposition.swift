/// Reads the file name that a server proposes.
///
/// Lenient, as what servers send is: the type may be absent, tokens may hold spaces.
/// What it gives is not safe yet; see ``FileName``.
///
/// - SeeAlso: RFC 6266, RFC 8187
enum ContentDisposition {
    /// The proposed names, the best first: `filename*` if it can be read, and `filename`, percent-decoded.
    static func fileNames(in field: String) -> [String] {
        let parameters = parameters(of: field)
        let extended = parameters.first { $0.name == "filename*" }.flatMap { decode($0.value) }
        let plain = parameters.first { $0.name == "filename" }.map {
            String(decoding: PercentEncoding.decode($0.value), as: UTF8.self)
        }
        return [extended, plain].compactMap(\.self)
    }

    /// `charset'language'percent-encoded`, or `nil` if it is something else.
    private static func decode(_ value: [UInt8]) -> String? {
        let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, isWhole(parts[2]) else { return nil }
        let bytes = PercentEncoding.decode(parts[2])
        switch String(decoding: parts[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    /// Whether every `%` begins an escape: a value with another one is ignored (RFC 8187 §3.2.1).
    private static func isWhole(_ value: ArraySlice<UInt8>) -> Bool {
        value.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.count >= 2 && part.prefix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
    }

    private static func parameters(of field: String) -> [(name: String, value: [UInt8])] {
        var parameters: [(name: String, value: [UInt8])] = []
        var rest = Array(field.utf8)[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst().drop(while: isBlank)
            let value = rest.first == UInt8(ascii: "\"") ? takeQuoted(&rest) : takeToken(&rest)
            parameters.append((String(decoding: trimmed(name), as: UTF8.self).lowercased(), value))
            rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
        }
        return parameters
    }

    private static func takeToken(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let token = rest.prefix { $0 != UInt8(ascii: ";") }
        rest = rest[token.endIndex...]
        return Array(trimmed(token))
    }

    private static func takeQuoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            let isEscape = byte == UInt8(ascii: "\\")
            value.append(isEscape ? rest.popFirst() ?? byte : byte)
        }
        return value
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop(while: isBlank)
        return start.prefix(through: start.lastIndex { !isBlank($0) } ?? start.startIndex - 1)
    }
}
