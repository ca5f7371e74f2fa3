/// The signs that differ between terminals; everything else is drawn in Unicode and replaced at the end.
///
/// ``ascii(_:)`` works on finished cells, so that no view has to think of it, and
/// keeps columns: one character for one.
struct Glyphs: Sendable {
    let isASCII: Bool
    let depth: ColorDepth

    /// Steps only when bytes arrived.
    func spinner(_ step: Int) -> String {
        let frames = isASCII ? ["|", "/", "-", "\\"] : ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
        return frames[step % frames.count]
    }

    /// The empty part of a thin bar; without colours it must differ from the full part in shape.
    var track: String { depth == .mono || isASCII ? "┄" : "━" }
    /// The empty part of the gauge.
    var gaugeTrack: String { depth == .palette256 && !isASCII ? " " : "░" }
    /// Whether a partly filled cell of the gauge has a ground of its own.
    var hasGaugeGround: Bool { depth == .palette256 }

    /// The label of a key, or of several with blanks between.
    ///
    /// Without Unicode keys have words: the sign that stands for an arrow elsewhere is another key.
    func label(_ label: String) -> String {
        guard isASCII, label.contains(where: { !$0.isASCII }) else { return label }
        let keys = label.split(separator: " ").map { key -> String in
            let isControl = key.first == "^" && key.count > 1
            return Self.keyWords[isControl ? String(key.dropFirst()) : String(key)].map { (isControl ? "^" : "") + $0 }
                ?? String(key)
        }
        return keys.joined(separator: " ")
    }

    private static let keyWords = [
        "⏎": "Enter", "↑": "Up", "↓": "Down", "←": "Left", "→": "Right", "⌫": "BkSp", "⇧Tab": "S-Tab",
    ]

    static func ascii(_ character: Character) -> Character {
        if character.isASCII { return character }
        if let known = table[character] { return known }
        guard let scalar = character.unicodeScalars.first?.value, (0x2800...0x28FF).contains(scalar) else { return "?" }
        switch (scalar & 0xFF).nonzeroBitCount {
        case 0: return " "
        case 1...2: return "."
        case 3...5: return ":"
        default: return "#"
        }
    }

    private static let table: [Character: Character] = [
        "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "╌": "-", "┄": ".", "┆": ":", "░": ".", "▒": "%",
        "▓": "#", "●": "*", "‹": "<",
        "━": "#", "╸": "=", "█": "#", "▉": "#", "▊": "#", "▋": "#", "▌": ">", "▍": "#", "▎": ":", "▏": ".",
        "▀": "\"", "▄": "_", "▴": "^", "·": "-", "…": "~", "×": "x", "–": "-", "−": "-", "→": ">", "←": "<",
        "↑": "^", "↓": "v", "›": ">", "⏎": "<", "✓": "+", "✗": "x", "↻": "~", "‖": "=", "⊕": "&", "♺": "%",
        "◆": "*", "⊘": "/", "⇢": ">", "○": "-", "◔": ".", "◕": ":", "≤": "<", "“": "\"", "”": "\"", "’": "'",
        "◌": ".", "»": ">", "▸": ">",
        "└": "`",
    ]
}
