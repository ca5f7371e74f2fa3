/// Writes labels of host names in ASCII, as DNS wants them.
///
/// It maps as little as a user notices: lower case, full-width ASCII, and the dots of
/// East Asian keyboards, and letters with combining marks, as file names of some systems have them.
///
/// - SeeAlso: RFC 3492, RFC 5891
enum Punycode {
    /// Encodes a host name label by label.
    ///
    /// - Returns: `nil` for characters that have no place in a host name, or labels too long to encode.
    static func encode(host: String) -> String? {
        // No name has as many, however its letters are written.
        guard host.unicodeScalars.count <= 1_100 else { return nil }
        var labels: [String] = []
        var label: [UInt32] = []
        for scalar in composed(host.lowercased()) {
            switch scalar.value {
            case 0x2E, 0x3002, 0xFF0E, 0xFF61:
                guard let encoded = encode(label: label) else { return nil }
                labels.append(encoded)
                label = []
            case 0xFF01...0xFF5E:
                label.append(scalar.value - 0xFEE0)
            default:
                guard !scalar.isHazardous else { return nil }
                label.append(scalar.value)
            }
        }
        guard let encoded = encode(label: label) else { return nil }
        labels.append(encoded)
        return labels.joined(separator: ".")
    }

    /// Letters with their marks as one scalar, where there is one: normalisation form C, but for rare orders of marks.
    ///
    /// - Complexity: O(length of `text`).
    private static func composed(_ text: String) -> [Unicode.Scalar] {
        text.flatMap { character -> [Unicode.Scalar] in
            let scalars = Array(character.unicodeScalars)
            guard scalars.count > 1 else { return scalars }
            var found: [Unicode.Scalar] = []
            var index = 0
            while index < scalars.count {
                // No letter comes from more than four.
                let lengths = (2...4).reversed().filter { index + $0 <= scalars.count }
                let next = lengths.lazy.compactMap { count in
                    composition(scalars[index..<index + count]).map { ($0, count) }
                }.first
                found.append(next?.0 ?? scalars[index])
                index += next?.1 ?? 1
            }
            return found
        }
    }

    /// Letters by their text, which is hashed and compared by canonical equivalence: so their parts find them too.
    ///
    /// European letters, Indic ones and kana. Not those that are always written in parts (the composition exclusions).
    private static let letters: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xC0...0x24F, 0x1E00...0x1EFF, 0x370...0x4FF, 0x1F00...0x1FFF, 0x620...0x6FF, 0x900...0xDFF,
            0x3040...0x30FF,
        ]
        let excluded: Set<UInt32> = [
            0x9DC, 0x9DD, 0x9DF, 0xA33, 0xA36, 0xA59, 0xA5A, 0xA5B, 0xA5E, 0xB5C, 0xB5D,
        ]
        let scalars = ranges.joined().filter { !(0x958...0x95F).contains($0) && !excluded.contains($0) }
        return Dictionary(scalars.compactMap { Unicode.Scalar($0) }.map { (String($0), $0) }) { first, _ in first }
    }()

    private static func composition(_ scalars: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        if let syllable = hangul(scalars.map(\.value)) { return Unicode.Scalar(syllable) }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return letters[String(view)]
    }

    /// - SeeAlso: The Unicode Standard §3.12, Conjoining Jamo Behavior.
    private static func hangul(_ values: [UInt32]) -> UInt32? {
        guard (2...3).contains(values.count), (0x1100...0x1112).contains(values[0]),
            (0x1161...0x1175).contains(values[1])
        else { return nil }
        let syllable = 0xAC00 + ((values[0] - 0x1100) * 21 + values[1] - 0x1161) * 28
        guard let tail = values.dropFirst(2).first else { return syllable }
        return (0x11A8...0x11C2).contains(tail) ? syllable + tail - 0x11A7 : nil
    }

    /// Encodes one label: `xn--` and the basic characters, a hyphen, and where which others go.
    ///
    /// - Returns: The label itself where it is ASCII.
    static func encode(label: [UInt32]) -> String? {
        let basic = label.filter { $0 < 0x80 }
        var output = basic.map { UInt8($0) }
        guard basic.count < label.count else { return String(decoding: output, as: UTF8.self) }
        guard label.count <= 63 else { return nil }
        if !basic.isEmpty { output.append(UInt8(ascii: "-")) }

        var (next, delta, bias, handled) = (UInt32(0x80), UInt32(0), UInt32(72), UInt32(basic.count))
        while handled < label.count {
            guard let smallest = label.filter({ $0 >= next }).min() else { return nil }
            // At most 63 × 0x10FFFF, which cannot overflow.
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for value in label {
                if value < next { delta += 1 }
                guard value == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basic.count)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    /// A number of generalised variable length, in base 36.
    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var (rest, position) = (delta, UInt32(36))
        while true {
            let threshold = position <= bias ? 1 : min(position - bias, 26)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            position += 36
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapt(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var bias: UInt32 = 0
        while rest > 455 {
            rest /= 35
            bias += 36
        }
        return bias + 36 * rest / (rest + 38)
    }
}
