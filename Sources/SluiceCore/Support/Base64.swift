/// Bytes as letters and digits, with padding: pins, PEM, and what a terminal takes in sequences.
///
/// - SeeAlso: RFC 4648
public enum Base64 {
    /// Which characters stand for 62 and 63.
    public enum Alphabet: Sendable {
        case standard
        /// With `-` and `_`.
        case fileNames

        fileprivate var letters: [UInt8] {
            let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            return Array((common + (self == .standard ? "+/" : "-_")).utf8)
        }
    }

    /// The bytes as text, by the standard alphabet.
    public static func encode(_ bytes: [UInt8]) -> String { String(decoding: letters(of: bytes), as: UTF8.self) }

    /// The same as bytes: a picture is a megabyte of them.
    public static func letters(of bytes: [UInt8], _ alphabet: Alphabet = .standard) -> [UInt8] {
        let letters = alphabet.letters
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 4)
        var index = 0
        while index + 2 < bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            text.append(letters[bits >> 18])
            text.append(letters[bits >> 12 & 63])
            text.append(letters[bits >> 6 & 63])
            text.append(letters[bits & 63])
            index += 3
        }
        let rest = bytes.count - index
        guard rest > 0 else { return text }
        let bits = Int(bytes[index]) << 16 | (rest == 2 ? Int(bytes[index + 1]) << 8 : 0)
        text.append(letters[bits >> 18])
        text.append(letters[bits >> 12 & 63])
        text.append(rest == 2 ? letters[bits >> 6 & 63] : UInt8(ascii: "="))
        text.append(UInt8(ascii: "="))
        return text
    }

    /// - Returns: `nil` if there is anything but whole groups of digits and padding at the end.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, digits, padding) = (UInt32(0), 0, 0)
        for byte in text {
            if byte == UInt8(ascii: "=") {
                padding += 1
                bits <<= 6
            } else {
                guard padding == 0, let value = value(byte) else { return nil }
                bits = bits << 6 | UInt32(value)
            }
            digits += 1
            guard digits == 4 else { continue }
            guard padding <= 2 else { return nil }
            bytes += [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)].dropLast(padding)
            (bits, digits) = (0, 0)
        }
        return bytes
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
