/// A `[[trust]]` section that pins a host, as lines for the end of a configuration file.
///
/// Pure; says no more than is needed: what a wider section of the same file says of the host
/// is repeated, since the section that names it takes that one's place.
public struct TrustSectionText: Equatable, Sendable {
    /// Without line breaks.
    public let lines: [String]

    /// A section that was shown to somebody already.
    public init(lines: [String]) { self.lines = lines }

    /// - Parameters:
    ///   - host: As a pattern is written.
    ///   - pins: `sha256/…`, the key in use first.
    ///   - base: What the file says of the host so far.
    public init(host: String, pins: [String], over base: TrustPolicy) {
        var lines = ["[[trust]]", "host = \(Self.quoted(host))"]
        if pins.count > 1 {
            // A line each: a key and its backup would not fit beside each other.
            lines += ["pins = ["] + pins.map { "    \(Self.quoted($0))," } + ["]"]
        } else {
            lines.append("pins = [\(pins.map(Self.quoted).joined())]")
        }
        if base.allowInvalid { lines.append("allowInvalid = true") }
        if !base.validatesDomain { lines.append("validatesDomain = false") }
        if let file = base.authorities { lines.append("cacert = \(Self.quoted(file.path))") }
        if let client = base.client {
            lines.append("cert = \(Self.quoted(client.chain.path))")
            let place = client.keyPlace
            // The place may have a line behind it; the same file needs no key of its own.
            let path = place.lastIndex(of: ":").map { String(place[..<$0]) } ?? place
            let isLine = place.lastIndex(of: ":").map { place[$0...].dropFirst().allSatisfy(\.isWholeNumber) } ?? false
            let key = isLine ? path : place
            if key != client.chain.path { lines.append("key = \(Self.quoted(key))") }
        }
        self.lines = lines
    }

    /// What to append to a file that holds `bytes`: a blank line first, and a line break that was missing.
    public func appendix(to bytes: [UInt8]) -> [UInt8] {
        var text = ""
        if let last = bytes.last {
            if last != UInt8(ascii: "\n") { text += "\n" }
            text += "\n"
        }
        return Array((text + lines.joined(separator: "\n") + "\n").utf8)
    }

    /// A basic string of TOML.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
