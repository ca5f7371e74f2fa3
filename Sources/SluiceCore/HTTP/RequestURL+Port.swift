extension RequestURL {
    /// The port that the URL names, else that of its scheme.
    public var port: Int {
        let bytes = url.utf8.span
        var (index, number) = (hostBounds.upperBound, 0)
        guard index < pathStart, bytes[index] == UInt8(ascii: ":") else {
            return bytes.count > 4 && bytes[4] == UInt8(ascii: "s") ? 443 : 80
        }
        index += 1
        // A port that is no number was refused with the URL.
        while index < pathStart {
            number = number * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
            index += 1
        }
        return number
    }

    /// The host of a text that was normalised before, brackets of an IPv6 address included; empty where there is none.
    static func host(ofNormal url: String) -> String {
        // By numbers and not by indices, since it is asked for every transfer.
        let bytes = url.utf8.span
        guard let colon = bytes.first(UInt8(ascii: ":")), bytes.count > colon + 2,
            bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
        else { return "" }
        let start = colon + 3
        var end = start
        // A colon within brackets is part of an address.
        var (isInBrackets, port) = (false, Int?.none)
        while end < bytes.count, !URLParser.endsAuthority(bytes[end]) {
            switch bytes[end] {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ":") where !isInBrackets: port = port ?? end
            default: break
            }
            end += 1
        }
        let host = bytes.extracting(start..<(port ?? end))
        return unsafe host.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension Span<UInt8> {
    fileprivate func first(_ byte: UInt8) -> Int? {
        for index in indices where self[index] == byte { return index }
        return nil
    }
}
