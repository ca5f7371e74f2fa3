internal import SluiceCore

/// The bytes that switch a terminal's modes on, and off again.
///
/// Whatever ``on`` sets, ``off`` resets; ``restore(capabilities:)`` is for a process
/// that dies, and also undoes what ncurses did.
struct TerminalModes {
    let features: TerminalFeatures

    /// Keeps the title, and asks for bracketed paste and focus reports.
    var on: [UInt8] {
        (features.hasTitle ? Self.bytes("\u{1B}[22;2t") : [])
            + (features.hasModes ? Self.bytes("\u{1B}[?2004h\u{1B}[?1004h") : [])
    }

    /// Undoes ``on``, synchronised output, and modes that nobody should have left on.
    var off: [UInt8] {
        (features.hasModes ? ["?2026", "?2004", "?1004", "?1000", "?1002", "?1003", "?1006"] : [])
            .flatMap { Self.bytes("\u{1B}[\($0)l") }
            + (features.hasProgress ? Self.bytes("\u{1B}]9;4;0\u{07}") : [])
            + (features.hasTitle ? Self.bytes("\u{1B}[23;2t") : [])
    }

    /// Asks for the colour of the ground; the answer is an event among the keys.
    var groundQuestion: [UInt8] { features.hasModes ? Self.bytes("\u{1B}]11;?\u{07}") : [] }

    /// Clicks and the wheel, with coordinates of any size; nothing that moves without a button.
    func mouse(_ isOn: Bool) -> [UInt8] {
        guard features.hasModes else { return [] }
        return Self.bytes(isOn ? "\u{1B}[?1000h\u{1B}[?1006h" : "\u{1B}[?1006l\u{1B}[?1000l")
    }

    var frameStart: [UInt8] { features.hasModes ? Self.bytes("\u{1B}[?2026h") : [] }
    var frameEnd: [UInt8] { features.hasModes ? Self.bytes("\u{1B}[?2026l") : [] }

    /// Sets the title; control characters are dropped, since they would end the sequence.
    func title(_ title: String) -> [UInt8] {
        guard features.hasTitle else { return [] }
        let printable = title.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        return Self.bytes("\u{1B}]2;") + Array(String(String.UnicodeScalarView(printable)).utf8) + [0x07]
    }

    /// Gives a text to the clipboard of the terminal (OSC 52); terminals that don't know it ignore it.
    ///
    /// Base64 has no character that could end the sequence. Cut at what terminals still take.
    func clipboard(_ text: String) -> [UInt8] {
        guard features.hasModes else { return [] }
        return Self.bytes("\u{1B}]52;c;") + Base64.letters(of: Array(text.utf8.prefix(74_994))) + [0x07]
    }

    /// 3 is "busy, nobody knows how long".
    func progress(_ isShown: Bool) -> [UInt8] {
        features.hasProgress ? Self.bytes(isShown ? "\u{1B}]9;4;3\u{07}" : "\u{1B}]9;4;0\u{07}") : []
    }

    /// What is written when the process dies: the description's strings for attributes off, cursor shown, keys as they
    /// were and main screen follow in this order.
    func restore(capabilities: [[UInt8]]) -> [UInt8] { off + capabilities.flatMap(Self.withoutPadding) }

    /// Takes out the pauses (`$<5>`) that descriptions of old terminals have.
    static func withoutPadding(_ capability: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = capability[...]
        while let byte = rest.first {
            if rest.starts(with: Array("$<".utf8)), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
