/// Bytes as letters and digits, for what may not hold others.
enum Base64 {
    enum Alphabet {
        case standard
        /// With `-` and `_`.
        case fileNames

        fileprivate var letters: [UInt8] {
            let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
            return Array((common + (self == .standard ? "+/" : "-_")).utf8)
        }
    }

    /// - SeeAlso: RFC 4648
    static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> [UInt8] {
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
}
