/// Edits one line with the keys of readline; grapheme clusters, never bytes.
///
/// Pure: no history, no meaning of the text. A combining character that is typed
/// joins the cluster before the cursor. What is cut goes to a ring, pieces that are cut
/// one after another become one; every change can be undone.
public struct LineEditor: Equatable, Sendable {
    /// What a key asks of the line.
    public enum Edit: Hashable, Sendable {
        /// At the cursor; more than ``LineEditor/limit`` is cut off.
        case insert(String)
        case left
        case right
        /// To the start of the word.
        case wordLeft
        /// To the end of the word.
        case wordRight
        case start
        case end
        /// The cluster before the cursor; goes to no ring.
        case deleteBackward
        /// The cluster behind the cursor; goes to no ring.
        case deleteForward
        /// To the blank before (`^W`).
        case cutWordBackward
        /// To the end of the word (Alt-d).
        case cutWordForward
        /// All that stands before the cursor.
        case cutToStart
        /// All that stands behind the cursor.
        case cutToEnd
        /// Inserts the newest piece of the ring.
        case yank
        /// Puts the piece before in place of the one just inserted.
        case yankOlder
        /// Swaps the two characters around the cursor, and goes on.
        case swapCharacters
        /// Swaps the word at the cursor with the one before.
        case swapWords
        /// From the cursor to the end of the word.
        case upperCase
        /// From the cursor to the end of the word.
        case lowerCase
        /// From the cursor to the end of the word: the first letter upper case, the others lower.
        case capitalize
        /// Takes back the last change that is remembered.
        case undo
    }

    /// What the last edit was, as far as the next one depends on it.
    private enum Last: Equatable {
        case typing
        case cut
        case yank(Range<Int>, ring: Int)
        case other
    }

    private struct Past: Equatable {
        let text: String
        let cursor: Int
    }

    /// Longer insertions are cut.
    public static let limit = 16_384
    /// Changes that can be undone, and pieces in the ring.
    static let undoLimit = 100
    static let ringLimit = 20

    /// Cluster by cluster.
    private(set) var characters: [Character] = []
    /// Clusters before the cursor. `0...characters.count`
    public private(set) var cursor = 0
    /// What was cut, newest last.
    private(set) var ring: [String] = []
    private var past: [Past] = []
    private var last = Last.other

    /// A line, at most ``limit`` clusters of it, with the cursor at its end.
    public init(_ text: String = "") {
        characters = Array(text.prefix(Self.limit))
        cursor = characters.count
    }

    /// The whole line.
    public var text: String { String(characters) }
    /// Whether there is nothing in it, not even a blank.
    public var isEmpty: Bool { characters.isEmpty }

    /// Puts the cursor at the end; can be undone.
    public mutating func replace(with text: String) {
        remember()
        characters = Array(text.prefix(Self.limit))
        cursor = characters.count
        last = .other
    }

    /// Puts other text in place of some clusters, and the cursor behind it; can be undone.
    mutating func replace(_ range: Range<Int>, with text: String) {
        let range = range.clamped(to: 0..<characters.count)
        remember()
        cursor = range.lowerBound
        remove(range)
        insert(text)
        last = .other
    }

    /// Starts with an empty line that knows nothing of the one before, but what was cut.
    mutating func clear() {
        (characters, cursor, past, last) = ([], 0, [], .other)
    }

    /// Puts the cursor somewhere, as after an error there.
    mutating func move(to index: Int) {
        cursor = min(max(0, index), characters.count)
        last = .other
    }

    /// Cuts the whole line; can be undone and yanked.
    mutating func cutAll() {
        cursor = characters.count
        apply(.cutToStart)
    }

    /// Does what a key asks; what has nothing to work on changes nothing.
    public mutating func apply(_ edit: Edit) { apply(edit, keeping: 0) }

    /// Does the same, but cutting to the start leaves the first `head` clusters where they are.
    mutating func apply(_ edit: Edit, keeping head: Int) {
        let before = last
        last = .other
        switch edit {
        case .insert(let text):
            if before != .typing || text.count != 1 { remember() }
            insert(text)
            if text.count == 1, !text.allSatisfy(\.isWhitespace) { last = .typing }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .wordLeft: cursor = wordStart(before: cursor)
        case .wordRight: cursor = wordEnd(after: cursor)
        case .start: cursor = 0
        case .end: cursor = characters.count
        case .deleteBackward: delete(max(0, cursor - 1)..<cursor)
        case .deleteForward: delete(cursor..<min(characters.count, cursor + 1))
        case .cutWordBackward: cut(blankStart()..<cursor, isBackward: true, after: before)
        case .cutWordForward: cut(cursor..<wordEnd(after: cursor), isBackward: false, after: before)
        case .cutToStart: cut(min(head, cursor)..<cursor, isBackward: true, after: before)
        case .cutToEnd: cut(cursor..<characters.count, isBackward: false, after: before)
        case .yank: yank(ring.count - 1)
        case .yankOlder:
            guard case .yank(let range, let index) = before else { return }
            undo()
            cursor = min(range.lowerBound, characters.count)
            yank(index > 0 ? index - 1 : ring.count - 1)
        case .swapCharacters: swapCharacters()
        case .swapWords: swapWords()
        case .upperCase: change { $0.uppercased() }
        case .lowerCase: change { $0.lowercased() }
        case .capitalize: change { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        case .undo: undo()
        }
    }

    // MARK: Changing

    private mutating func remember() {
        past.append(Past(text: text, cursor: cursor))
        if past.count > Self.undoLimit { past.removeFirst() }
    }

    private mutating func undo() {
        guard let past = past.popLast() else { return }
        characters = Array(past.text)
        cursor = min(past.cursor, characters.count)
    }

    /// Joins what meets at the borders: a mark that is typed belongs to the cluster before it.
    private mutating func insert(_ text: String) {
        let room = max(0, Self.limit - characters.count)
        if text.utf8.allSatisfy({ $0 < 0x80 }), isApart(cursor, cursor) {
            let typed = Array(text.prefix(room))
            characters.insert(contentsOf: typed, at: cursor)
            cursor += typed.count
            return
        }
        let head = String(characters[..<cursor]) + String(text.prefix(room))
        let tail = String(characters[cursor...])
        characters = Array(head + tail)
        cursor = min(head.count, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        if isApart(range.lowerBound, range.upperBound) {
            characters.removeSubrange(range)
            cursor = range.lowerBound
            return
        }
        let head = String(characters[..<range.lowerBound])
        characters = Array(head + String(characters[range.upperBound...]))
        cursor = min(head.count, characters.count)
    }

    /// Whether what stands before one place and behind another joins nothing that comes between.
    ///
    /// All marks that do are outside ASCII. Then a key costs no reading of the whole line, which may be long.
    private func isApart(_ start: Int, _ end: Int) -> Bool {
        (start == 0 || characters[start - 1].isASCII) && (end == characters.count || characters[end].isASCII)
    }

    private mutating func delete(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        remember()
        remove(range)
    }

    private mutating func cut(_ range: Range<Int>, isBackward: Bool, after before: Last) {
        last = before == .cut ? .cut : .other
        guard !range.isEmpty else { return }
        remember()
        let piece = String(characters[range])
        if before == .cut, let newest = ring.popLast() {
            ring.append(isBackward ? piece + newest : newest + piece)
        } else {
            ring.append(piece)
        }
        if ring.count > Self.ringLimit { ring.removeFirst() }
        remove(range)
        last = .cut
    }

    private mutating func yank(_ index: Int) {
        guard ring.indices.contains(index) else { return }
        let start = cursor
        remember()
        insert(ring[index])
        last = .yank(start..<max(start, cursor), ring: index)
    }

    private mutating func swapCharacters() {
        guard characters.count >= 2, cursor > 0 else { return }
        let right = cursor == characters.count ? cursor - 1 : cursor
        remember()
        let swapped = String([characters[right], characters[right - 1]])
        cursor = right - 1
        remove(right - 1..<right + 1)
        insert(swapped)
    }

    private mutating func swapWords() {
        let secondEnd = wordEnd(after: cursor)
        let secondStart = wordStart(before: secondEnd)
        let firstStart = wordStart(before: secondStart)
        let firstEnd = wordEnd(after: firstStart)
        guard firstStart < firstEnd, firstEnd <= secondStart, secondStart < secondEnd else { return }
        let pieces = [secondStart..<secondEnd, firstEnd..<secondStart, firstStart..<firstEnd]
        let swapped = pieces.map { String(characters[$0]) }.joined()
        remember()
        cursor = firstStart
        remove(firstStart..<secondEnd)
        insert(swapped)
    }

    /// Changes the rest of the word, and goes behind it.
    private mutating func change(_ change: (String) -> String) {
        let start = cursor
        let end = wordEnd(after: cursor)
        guard start < end else { return }
        let text = String(characters[start..<end])
        // The letters stand behind what is no word.
        let letters = text.drop { !isWord($0) }
        let changed = text.dropLast(letters.count) + change(String(letters))
        remember()
        remove(start..<end)
        insert(String(changed))
    }

    // MARK: Words

    private func wordStart(before place: Int) -> Int {
        var index = place
        while index > 0, !isWord(characters[index - 1]) { index -= 1 }
        while index > 0, isWord(characters[index - 1]) { index -= 1 }
        return index
    }

    private func wordEnd(after place: Int) -> Int {
        var index = place
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
