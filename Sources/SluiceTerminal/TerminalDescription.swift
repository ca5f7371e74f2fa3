internal import SluiceCore

/// The compiled description of a terminal, as ncurses reads it.
///
/// Made of the description of the terminal at hand, so that keys and everything else stay
/// its own; only what concerns colours is replaced: an index below 256 stays an index of
/// the palette, anything above is a colour of 24 bits. Pure bytes: it asks nobody.
///
/// - SeeAlso: `term(5)`, "Extended Number Format" and "Extended storage format".
struct TerminalDescription: Equatable {
    /// Colours are numbers of 24 bits.
    static let colors: Int32 = 0x100_0000
    /// What the names of a terminal must not be mistaken for.
    static let name = "sluice+true"

    /// By their place in the table of ncurses; absent ones are `false`, −1 and `nil`.
    var flags: [Bool]
    var numbers: [Int32]
    var strings: [[UInt8]?]

    /// Where the names of capabilities stand in the tables.
    struct Places {
        var flags: [String]
        var numbers: [String]
        var strings: [String]
    }

    /// Replaces what concerns colours.
    ///
    /// - Returns: `false` if the terminal does not have 256 colours of its own.
    mutating func useTrueColor(_ places: Places) -> Bool {
        guard let colors = places.numbers.firstIndex(of: "colors"), let pairs = places.numbers.firstIndex(of: "pairs"),
            let foreground = places.strings.firstIndex(of: "setaf"),
            let background = places.strings.firstIndex(of: "setab"),
            numbers[colors] >= 256, strings[foreground] != nil, strings[background] != nil
        else { return false }
        (numbers[colors], numbers[pairs]) = (Self.colors, 0x10000)
        strings[foreground] = Self.sequence("3")
        strings[background] = Self.sequence("4")
        for name in ["initc", "initp", "oc", "setf", "setb"] {
            if let index = places.strings.firstIndex(of: name) { strings[index] = nil }
        }
        if let index = places.flags.firstIndex(of: "ccc") { flags[index] = false }
        return true
    }

    /// The parameters of a colour: `5;n` for an index, `2;r;g;b` for the rest.
    private static func sequence(_ ground: String) -> [UInt8] {
        Array(
            ("\u{1B}[\(ground)8;%?%p1%{256}%<%t5;%p1%d"
                + "%e2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m").utf8
        )
    }

    /// The entry, with the mark that its colours are bits (`RGB`).
    var compiled: [UInt8] {
        var table: [UInt8] = []
        var offsets: [Int] = []
        for string in strings {
            guard let string else {
                offsets.append(-1)
                continue
            }
            offsets.append(table.count)
            table += string + [0]
        }
        let names = Array("\(Self.name)|a terminal with colours of 24 bits".utf8) + [0]
        var entry = [0x021E, names.count, flags.count, numbers.count, strings.count, table.count].flatMap(Self.short)
        entry += names + flags.map { $0 ? 1 : 0 }
        if entry.count % 2 == 1 { entry.append(0) }
        for number in numbers { entry += (0..<4).map { UInt8(truncatingIfNeeded: number >> Int32(8 * $0)) } }
        for offset in offsets { entry += Self.short(offset) }
        entry += table
        if entry.count % 2 == 1 { entry.append(0) }
        let mark = Array("RGB".utf8) + [0]
        entry += [1, 0, 0, 1, mark.count].flatMap(Self.short)
        return entry + [1, 0] + Self.short(0) + mark
    }

    /// As the variable `TERMINFO` takes an entry instead of a folder.
    var asVariable: String { "b64:" + String(decoding: Base64.letters(of: compiled, .fileNames), as: UTF8.self) }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
