internal import SluiceUI

/// The escape sequences that terminals send for keys.
///
/// Covers what xterm, the Linux console, rxvt and the DEC terminals agree or differ on.
/// Everything else is `nil`: an unknown sequence is never a key.
enum KeySequences {
    /// Decodes a control sequence, without `ESC [` and with its final byte.
    static func decode(controlSequence bytes: ArraySlice<UInt8>) -> TerminalInput? {
        guard let final = bytes.last else { return nil }
        // The Linux console: `ESC [ [ A` is F1.
        if bytes.first == UInt8(ascii: "["), bytes.count == 2 {
            return (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(final) ? .key(.function(Int(final) - 64)) : nil
        }
        if bytes.first == UInt8(ascii: "<") { return mouse(bytes.dropFirst()).map { .mouse($0) } }
        guard let parameters = parameters(bytes.dropLast()) else { return nil }
        // The modifiers that a terminal adds stand second: `ESC [ 1 ; 5 C`.
        let isJump = parameters.count == 2 && (max(1, parameters[1]) - 1) & 0b110 != 0
        switch UnicodeScalar(final) {
        case "A", "B", "C", "D", "H", "F":
            guard parameters.count <= 2 else { return nil }
            return cursor(UnicodeScalar(final), isJump: isJump).map { .key($0) }
        case "a", "b", "c", "d":
            return cursor(UnicodeScalar(final & 0xDF), isJump: false).map { .key($0) }
        case "Z": return .key(.backTab)
        case "I" where parameters.isEmpty: return .focus(true)
        case "O" where parameters.isEmpty: return .focus(false)
        // Not `R`: with numbers it is the answer to a question about the cursor.
        case "P" where parameters.count != 1: return .key(.function(1))
        case "Q" where parameters.count != 1: return .key(.function(2))
        case "S" where parameters.count != 1: return .key(.function(4))
        case "~", "^", "@": return parameters.first.flatMap(numbered).map { .key($0) }
        default: return nil
        }
    }

    /// A report of the mouse: `button;column;row`, then `M` for down and `m` for up.
    private static func mouse(_ bytes: ArraySlice<UInt8>) -> Mouse? {
        guard let final = bytes.last, let numbers = parameters(bytes.dropLast()), numbers.count == 3 else { return nil }
        // Bits 2…4 are modifiers; bit 5 is a move.
        guard final == UInt8(ascii: "M"), numbers[1] > 0, numbers[2] > 0, numbers[0] & 32 == 0 else { return nil }
        let kind: Mouse.Kind? =
            switch numbers[0] & ~0b1_1100 {
            case 0: .press
            case 64: .wheelUp
            case 65: .wheelDown
            default: nil
            }
        return kind.map { Mouse($0, x: numbers[1] - 1, y: numbers[2] - 1) }
    }

    /// The answer to a question about the ground, as OSC without its frame: `11;rgb:1010/1414/1818`.
    static func decode(command bytes: ArraySlice<UInt8>) -> TerminalInput? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("11;rgb:") || text.hasPrefix("11;rgba:") else { return nil }
        let parts = text.drop { $0 != ":" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let levels = parts.prefix(3).compactMap { part -> Double? in
            guard (1...4).contains(part.count), let value = UInt32(part, radix: 16) else { return nil }
            return Double(value) / Double((1 << (4 * part.count)) - 1)
        }
        guard levels.count == 3, (3...4).contains(parts.count) else { return nil }
        return .ground(isLight: 0.299 * levels[0] + 0.587 * levels[1] + 0.114 * levels[2] > 0.5)
    }

    /// Decodes what followed `ESC O`, its final byte included.
    static func decode(singleShift bytes: ArraySlice<UInt8>) -> Key? {
        guard let final = bytes.last, let parameters = parameters(bytes.dropLast()) else { return nil }
        let isJump = (parameters.last ?? 1) > 2
        switch UnicodeScalar(final) {
        case "A", "B", "C", "D", "H", "F": return cursor(UnicodeScalar(final), isJump: isJump)
        // rxvt: a small letter is Control.
        case "a", "b", "c", "d": return cursor(UnicodeScalar(final & 0xDF), isJump: true)
        case "P", "Q", "R", "S": return .function(Int(final) - 79)
        case "M": return .enter
        // The number pad: `j` is `*`, `p` is `0`.
        case "j"..."y": return .character(Character(UnicodeScalar(final - 64)))
        default: return nil
        }
    }

    private static func cursor(_ final: UnicodeScalar, isJump: Bool) -> Key? {
        switch final {
        case "A": .up
        case "B": .down
        case "C": isJump ? .controlRight : .right
        case "D": isJump ? .controlLeft : .left
        case "H": .home
        case "F": .end
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    /// Numbers between semicolons; `nil` for what no key has.
    private static func parameters(_ bytes: ArraySlice<UInt8>) -> [Int]? {
        guard !bytes.isEmpty else { return [] }
        var numbers = [0]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                numbers[numbers.count - 1] = min(numbers[numbers.count - 1] * 10 + Int(byte) - 48, 1_000_000)
            case UInt8(ascii: ";"): numbers.append(0)
            default: return nil
            }
        }
        return numbers
    }
}
