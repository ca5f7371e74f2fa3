/// What kind of body a head announces.
extension ResponseHead {
    /// The media type alone, lower-cased, without parameters; `nil` if it was not said.
    public var mediaType: String? { Self.mediaType(of: self.contentType) }

    /// The same of a field's value.
    public static func mediaType(of contentType: String?) -> String? {
        guard let contentType else { return nil }
        // Asked for every body, and mostly what was sent is it already.
        let isPlain = contentType.utf8.allSatisfy { isPlainInMediaType($0) }
        if isPlain, !contentType.isEmpty { return contentType }
        let bytes = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        let type = bytes.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return type.isEmpty ? nil : String(decoding: type, as: UTF8.self).lowercased()
    }

    /// Whether a byte stands in the type alone as in what was sent: no parameter, blank or capital begins there.
    private static func isPlainInMediaType(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"): false
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): false
        default: byte < 0x80
        }
    }
}
