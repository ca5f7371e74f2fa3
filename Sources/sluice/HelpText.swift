/// A help text in its parts.
struct HelpText {
    struct Item {
        var label: String
        var text: String
    }
    struct Block {
        var title: String
        var items: [Item] = []
    }

    private(set) var overview: [String] = []
    /// As the usage writes them, optional ones in brackets.
    private(set) var operands: [String] = []
    private(set) var blocks: [Block] = []

    /// - Parameter help: Wide enough that no line is broken.
    init(_ help: String) {
        for line in help.split(separator: "\n", omittingEmptySubsequences: true) {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if indent == 0 {
                if text.hasSuffix(":"), !text.contains(where: \.isLowercase) {
                    blocks.append(Block(title: String(text.dropLast())))
                } else if text.hasPrefix("OVERVIEW: ") {
                    overview.append(String(text.dropFirst(10)))
                } else if text.hasPrefix("USAGE: ") {
                    operands = Self.operands(of: text)
                } else if blocks.isEmpty {
                    overview.append(String(text))
                }
            } else if blocks.isEmpty {
                if operands.isEmpty { overview.append("  " + text) }
            } else {
                add(text, isLabel: indent == 2)
            }
        }
        blocks.removeAll { $0.items.isEmpty }
    }

    /// The words of a usage that are neither options nor their values.
    private static func operands(of usage: Substring) -> [String] {
        var found: [String] = []
        var isValue = false
        for word in usage.split(separator: " ") {
            if isValue {
                isValue = false
            } else if word.hasPrefix("[--") || word.hasPrefix("--") {
                isValue = !word.hasSuffix("]")
            } else if word == "...]" || word == "...", let last = found.popLast() {
                found.append(last + " " + word)
            } else if word.hasPrefix("<") || word.hasPrefix("[<"), word != "[<options>]" {
                found.append(String(word))
            }
        }
        return found
    }

    /// Characters of a label and the space behind it, at most, where the text follows on the same line.
    private static let labelWidth = 24

    private mutating func add(_ text: Substring, isLabel: Bool) {
        let last = blocks.count - 1
        guard isLabel else {
            guard let item = blocks[last].items.indices.last else { return }
            let old = blocks[last].items[item].text
            blocks[last].items[item].text = old.isEmpty ? String(text) : old + " " + text
            return
        }
        let column = text.prefix(Self.labelWidth)
        // A label that just fits has one space behind it; a longer one has a line of its own.
        let isFull = column.last == " " && text.dropFirst(Self.labelWidth).first?.isLetter == true
        let label = isFull ? column.dropLast() : text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
        let rest = text.dropFirst(label.count).drop { $0 == " " }
        blocks[last].items.append(Item(label: String(label), text: String(rest)))
    }
}
