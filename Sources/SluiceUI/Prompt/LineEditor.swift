/// Edits one line with the keys of readline; grapheme clusters, never bytes.
///
/// Pure: no history, no meaning of the text. A combining character that is typed
/// joins the cluster before the cursor.
public struct LineEditor: Equatable, Sendable {
    /// What a key asks of the line.
    public enum Edit: Equatable, Sendable {
        case insert(String)
        case left
        case right
        case wordLeft
        case wordRight
        case start
        case end
        case deleteBackward
        case deleteForward
        /// To the blank before (`^W`).
        case cutWordBackward
        /// To the end of the word (Alt-d).
        case cutWordForward
        case cutToStart
        case cutToEnd
        case yank
    }

    /// Longer insertions are cut.
    public static let limit = 16_384

    /// Cluster by cluster.
    private(set) var characters: [Character] = []
    /// Clusters before the cursor. `0...characters.count`
    public private(set) var cursor = 0
    private var cut: [Character] = []

    public init(_ text: String = "") { replace(with: text) }

    public var text: String { String(characters) }
    public var isEmpty: Bool { characters.isEmpty }

    /// Puts the cursor at the end.
    public mutating func replace(with text: String) {
        characters = Array(text.prefix(Self.limit))
        cursor = characters.count
    }

    public mutating func apply(_ edit: Edit) {
        switch edit {
        case .insert(let text): insert(text)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart()
        case .wordRight: cursor = wordEnd()
        case .start: cursor = 0
        case .end: cursor = characters.count
        case .deleteBackward: remove(max(0, cursor - 1)..<cursor)
        case .deleteForward: remove(cursor..<min(characters.count, cursor + 1))
        case .cutWordBackward: cut(blankStart()..<cursor)
        case .cutWordForward: cut(cursor..<wordEnd())
        case .cutToStart: cut(0..<cursor)
        case .cutToEnd: cut(cursor..<characters.count)
        case .yank: insert(String(cut))
        }
    }

    /// The edit that a key means in a line, or `nil`.
    public static func edit(for key: Key) -> Edit? {
        switch key {
        case .character(let character): .insert(String(character))
        case .left, .control("b"): .left
        case .right, .control("f"): .right
        case .controlLeft, .alt("b"): .wordLeft
        case .controlRight, .alt("f"): .wordRight
        case .home, .control("a"): .start
        case .end, .control("e"): .end
        case .backspace, .control("h"): .deleteBackward
        case .delete, .control("d"): .deleteForward
        case .control("w"): .cutWordBackward
        case .alt("d"): .cutWordForward
        case .control("u"): .cutToStart
        case .control("k"): .cutToEnd
        case .control("y"): .yank
        default: nil
        }
    }

    private mutating func insert(_ text: String) {
        let room = max(0, Self.limit - characters.count)
        let head = String(characters[..<cursor]) + String(text.prefix(room))
        let tail = String(characters[cursor...])
        characters = Array(head + tail)
        cursor = min(head.count, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        let head = String(characters[..<range.lowerBound])
        characters = Array(head + String(characters[range.upperBound...]))
        cursor = min(head.count, characters.count)
    }

    private mutating func cut(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        cut = Array(characters[range])
        remove(range)
    }

    private func wordStart() -> Int {
        var index = cursor
        while index > 0, !isWord(characters[index - 1]) { index -= 1 }
        while index > 0, isWord(characters[index - 1]) { index -= 1 }
        return index
    }

    private func wordEnd() -> Int {
        var index = cursor
        while index < characters.count, !isWord(characters[index]) { index += 1 }
        while index < characters.count, isWord(characters[index]) { index += 1 }
        return index
    }

    private func blankStart() -> Int {
        var index = cursor
        while index > 0, characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    private func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
