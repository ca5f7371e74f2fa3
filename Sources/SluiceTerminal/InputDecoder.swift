internal import SluiceCore
internal import SluiceUI

/// Turns the bytes of a terminal into keys, pastes and focus changes.
///
/// Pure: it never reads, and learns the time with the bytes. Answers to questions that
/// other programs asked, and sequences that nobody knows, are swallowed whole: they
/// never turn into keys. What it keeps is bounded, whatever is sent.
struct InputDecoder {
    /// How long a lone Escape may be the start of a sequence.
    static let escapeDelay: Duration = .milliseconds(25)
    /// For how long no byte may come of an unfinished sequence before it is dropped.
    ///
    /// It may last as much longer as its bytes take with ``byteDelay`` each.
    static let sequenceDelay: Duration = .seconds(1)
    /// How long a byte of a sequence may take.
    ///
    /// Links bring the longest answer faster, and no hand types so fast.
    static let byteDelay: Duration = .milliseconds(10)
    /// The longest control sequence that may mean something, in bytes.
    static let sequenceLimit = 64
    /// Bytes of a string sequence (OSC, DCS, APC, PM, SOS) that are swallowed before it is no longer believed.
    static let stringLimit = 65_536
    private enum State {
        case ground
        /// `ESC` came, alone so far.
        case escape
        /// `ESC [` and what followed are in `sequence`.
        case controlSequence
        /// `ESC O` and what followed are in `sequence`.
        case singleShift
        /// Inside OSC, DCS, APC, PM or SOS; `isEnding` after an `ESC` that may end it.
        case string(length: Int, isEnding: Bool)
        /// `matched` bytes of the end mark have come.
        case paste(matched: Int)
    }

    /// How long nothing comes before `^C` is a key, and no byte of a paste.
    private static let pasteSilence = Duration.seconds(1)
    private static let interrupt: UInt8 = 3
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let pasteStart = Array("\u{1B}[200~".utf8)

    private let keys: [[UInt8]: Key]
    private let pasteLimit: Int
    private var state = State.ground
    private var sequence: [UInt8] = []
    private var text: [UInt8] = []
    private var isAlt = false
    private var pasted: [UInt8] = []
    /// Whether more came than is kept.
    private var isPasteCut = false
    private var output: [TerminalInput] = []
    private var lastTime = Timestamp(nanoseconds: 0)
    /// When the sequence that is half read began.
    private var sequenceStart = Timestamp(nanoseconds: 0)

    /// Takes the sequences that are this terminal's own, whole, and the number of bytes of one paste that are kept.
    ///
    /// Each sequence starts with `ESC [` or `ESC O`.
    init(keys: [[UInt8]: Key] = [:], pasteLimit: Int = 16 * 1_048_576) {
        (self.keys, self.pasteLimit) = (keys, pasteLimit)
    }

    /// When ``timeOut(now:)`` is due, or `nil` while nothing is half read.
    var deadline: Timestamp? {
        switch state {
        case .ground, .paste: nil
        case .escape: lastTime + Self.escapeDelay
        case .controlSequence, .singleShift: sequenceDeadline(length: sequence.count - 2)
        case .string(let length, _): sequenceDeadline(length: length)
        }
    }

    /// When a sequence with so many bytes behind its introducer is given up.
    ///
    /// By the last byte alone, keys would keep one alive that lost its end, and none of them would mean anything.
    private func sequenceDeadline(length: Int) -> Timestamp {
        guard length > 0 else { return lastTime + Self.escapeDelay }
        return min(lastTime + Self.sequenceDelay, sequenceStart + Self.sequenceDelay + Self.byteDelay * length)
    }

    /// Takes bytes as they were read.
    mutating func decode(_ bytes: some Sequence<UInt8>, now: Timestamp) -> [TerminalInput] {
        let isLate = now - lastTime >= Self.pasteSilence
        // Nobody looked when it was due: what is there may have come in time, and its rest must not count as keys.
        if let deadline, deadline < now { sequenceStart = now }
        lastTime = now
        for (place, byte) in bytes.enumerated() {
            if place == 0, isLate, byte == Self.interrupt { endPaste() }
            take(byte)
        }
        flushText(keepingUnfinished: true)
        return takeOutput()
    }

    /// Says that the deadline passed: what looked like the start of a sequence was a key.
    mutating func timeOut(now: Timestamp) -> [TerminalInput] {
        guard let deadline, deadline <= now else { return [] }
        abandon()
        return takeOutput()
    }

    /// Ends a paste whose mark was lost on the way: without this no key would mean anything any more.
    private mutating func endPaste() {
        guard case .paste = state else { return }
        handOverPaste()
        state = .ground
    }

    private mutating func takeOutput() -> [TerminalInput] {
        defer { output = [] }
        return output
    }

    private mutating func emit(_ key: Key) { output.append(.key(key)) }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeInGround(byte)
        case .escape: takeAfterEscape(byte)
        case .controlSequence: takeInControlSequence(byte)
        case .singleShift: takeInSingleShift(byte)
        case .string(let length, let isEnding): takeInString(byte, length: length, isEnding: isEnding)
        case .paste(let matched): takeInPaste(byte, matched: matched)
        }
    }

    /// Ends a sequence that did not become one.
    ///
    /// Alt with the byte that would have gone on looks the same at first.
    private mutating func abandon() {
        switch state {
        case .escape: emit(.escape)
        case .controlSequence where sequence.count == 2, .singleShift where sequence.count == 2, .string(length: 0, _):
            emit(.alt(Character(UnicodeScalar(sequence[1]))))
        case .ground, .controlSequence, .singleShift, .string, .paste: break
        }
        state = .ground
    }

    private mutating func takeInGround(_ byte: UInt8) {
        guard byte < 0x20 || byte == 0x7F else { return text.append(byte) }
        flushText(keepingUnfinished: false)
        switch byte {
        case 0x1B: state = .escape
        case 0x08, 0x7F: emit(.backspace)
        case 0x09: emit(.tab)
        case 0x0A, 0x0D: emit(.enter)
        case 0x00: emit(.control(" "))
        case 0x01...0x1A: emit(.control(Character(UnicodeScalar(byte + 0x60))))
        default: emit(.control(Character(UnicodeScalar(byte + 0x40))))
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8) {
        (sequence, sequenceStart) = ([0x1B, byte], lastTime)
        switch UnicodeScalar(byte) {
        case "[": state = .controlSequence
        case "O": state = .singleShift
        case "]", "P", "X", "^", "_": state = .string(length: 0, isEnding: false)
        case "\u{1B}": emit(.escape)
        // Alt and Backspace deletes a word everywhere else.
        case "\u{7F}", "\u{08}": finish(.key(.control("w")))
        case "\u{20}"...:
            state = .ground
            isAlt = true
            text.append(byte)
        default:
            abandon()
            takeInGround(byte)
        }
    }

    private mutating func takeInControlSequence(_ byte: UInt8) {
        guard (0x20...0x7E).contains(byte) else { return interrupt(with: byte) }
        if sequence.count < Self.sequenceLimit { sequence.append(byte) }
        guard byte >= 0x40, !(byte == UInt8(ascii: "[") && sequence.count == 3) else { return }
        if sequence == Self.pasteStart {
            state = .paste(matched: 0)
        } else if sequence.count < Self.sequenceLimit {
            finish(
                keys[sequence].map { .key($0) } ?? KeySequences.decode(controlSequence: sequence[2...])
                    ?? TerminalReport(controlSequence: sequence[2...]).map { .report($0) }
            )
        } else {
            finish(nil)
        }
    }

    private mutating func takeInSingleShift(_ byte: UInt8) {
        guard (0x20...0x7E).contains(byte) else { return interrupt(with: byte) }
        if sequence.count < Self.sequenceLimit { sequence.append(byte) }
        guard byte >= 0x40 else { return }
        finish((keys[sequence] ?? KeySequences.decode(singleShift: sequence[2...])).map { .key($0) })
    }

    private mutating func takeInString(_ byte: UInt8, length: Int, isEnding: Bool) {
        switch byte {
        // No answer has it: who presses it wants out.
        case Self.interrupt: interrupt(with: byte)
        case UInt8(ascii: "\\") where isEnding: finish(answer)
        case _ where isEnding:
            state = .escape
            takeAfterEscape(byte)
        case 0x1B: state = .string(length: length + 1, isEnding: true)
        case 0x07: finish(answer)
        case 0x18, 0x1A: finish(nil)
        default:
            if sequence.count < Self.sequenceLimit { sequence.append(byte) }
            state = length < Self.stringLimit ? .string(length: length + 1, isEnding: false) : .ground
        }
    }

    /// What a whole string sequence means, if it is the answer to a question that Sluice asked.
    private var answer: TerminalInput? {
        guard sequence.count < Self.sequenceLimit else { return nil }
        if sequence[1] == UInt8(ascii: "]") { return KeySequences.decode(command: sequence[2...]) }
        return TerminalReport(string: sequence[1...]).map { .report($0) }
    }

    private mutating func takeInPaste(_ byte: UInt8, matched: Int) {
        if byte == Self.pasteEnd[matched] {
            guard matched + 1 == Self.pasteEnd.count else {
                state = .paste(matched: matched + 1)
                return
            }
            handOverPaste()
            return finish(nil)
        }
        // The mark's first byte stands nowhere else in it, so a match that broke can only start anew.
        keep(Self.pasteEnd[..<matched])
        if byte == Self.pasteEnd[0] {
            state = .paste(matched: 1)
        } else {
            keep(CollectionOfOne(byte))
            state = .paste(matched: 0)
        }
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        guard !isPasteCut else { return }
        isPasteCut = pasted.count + bytes.count > pasteLimit
        if !isPasteCut { pasted.append(contentsOf: bytes) }
    }

    private mutating func handOverPaste() {
        if isPasteCut {
            // A word that the limit cut in two would be taken for another one.
            pasted.removeLast(pasted.count - (pasted.lastIndex { $0 <= UInt8(ascii: " ") } ?? 0))
        }
        output.append(.paste(Self.lines(pasted)))
        if isPasteCut { output.append(.cutPaste) }
        (pasted, isPasteCut) = ([], false)
    }

    private mutating func finish(_ input: TerminalInput?) {
        state = .ground
        if let input { output.append(input) }
    }

    /// A byte that no sequence has: the sequence is over, the byte counts.
    private mutating func interrupt(with byte: UInt8) {
        let isCancel = (byte == 0x18 || byte == 0x1A) && sequence.count > 2
        abandon()
        if !isCancel { takeInGround(byte) }
    }

    private mutating func flushText(keepingUnfinished: Bool) {
        let unfinished = keepingUnfinished ? UTF8Tail.unfinishedCount(text) : 0
        let complete = text.dropLast(unfinished)
        guard !complete.isEmpty else { return }
        for character in String(decoding: complete, as: UTF8.self) where isPrintable(character) {
            emit(isAlt ? .alt(character) : .character(character))
            isAlt = false
        }
        isAlt = false
        text.removeFirst(complete.count)
    }

    /// Neither what could not be decoded nor a C1 control is a key.
    private func isPrintable(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { $0 != "\u{FFFD}" && !(0x80...0x9F).contains($0.value) }
    }

    /// Terminals send `\r` for the end of a pasted line.
    private static func lines(_ bytes: [UInt8]) -> String {
        guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
            lines.append(byte == 0x0D ? 0x0A : byte)
        }
        return String(decoding: lines, as: UTF8.self)
    }
}
