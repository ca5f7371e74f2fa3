/// A line of `curl` or `wget`, as browsers copy a request: what it asks for, and what else it would send.
///
/// Reads words as a shell does. A URL in a header is no download, and what no request here takes is told, not
/// dropped in silence. Never runs anything.
struct CopiedCommand: Equatable {
    /// What is given besides URLs, in the order in which it is told.
    private enum Part: String, CaseIterable { case method, headers, user, query, body, proxy }

    private enum Program: String { case curl, wget }

    private struct Word {
        var bytes: [UInt8]
        /// Whether nothing stands before it in its line.
        var isFirst: Bool
    }

    /// Where a line names one of them.
    private struct Place {
        /// Behind what the shell asked with.
        var start: Int
        var program: Program
        /// Whether that holds what begins a comment too: then no other line is taken for one.
        var isBehindHash: Bool
    }

    /// The words that may be URLs, in their lines, and the lines around them that are no commands.
    private(set) var text = ""
    private let program: Program
    private var parts: Set<Part> = []

    /// - Returns: `nil` for a text of which no line begins with the name of one of them and a blank, be it behind what a
    ///   shell asks with.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let (line, place) = Self.firstCommand(bytes) else { return nil }
        program = place.program
        if line == 0, !place.isBehindHash {
            read(Self.words(String(decoding: bytes[place.start...], as: UTF8.self)))
        } else {
            self.text = String(decoding: bytes[..<line], as: UTF8.self)
            readLines(bytes[line...])
        }
    }

    /// The same for a line that is edited, which is looked at with every key.
    init?(typed characters: [Character]) {
        let head = characters.drop(while: \.isWhitespace).prefix(Self.longestPrompt)
        guard let first = head.first else { return nil }
        let hasPrompt = zip(head, head.dropFirst()).contains { "$%#".contains($0) && $1.isWhitespace }
        guard hasPrompt || "cw$%#>".contains(first) else { return nil }
        self.init(String(characters))
    }

    /// `headers and body of the curl line are not taken`; `nil` if there is nothing but URLs.
    var note: String? {
        let names = Part.allCases.filter { parts.contains($0) }.map(\.rawValue)
        guard let last = names.last else { return nil }
        let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + last : last
        let verb = names.count > 1 || last == "headers" ? "are" : "is"
        return "\(list) of the \(program.rawValue) line \(verb) not taken"
    }

    // MARK: Lines

    private static let newline = UInt8(ascii: "\n")

    /// What shells ask with, alone.
    private static let prompts = Array("$%#>".utf8)
    /// More bytes before a command are no prompt.
    private static let longestPrompt = 64

    /// The command that text begins with, behind `$`, or behind a prompt as `me@box:~$` or `me@box ~ %`.
    private static func place(in text: ArraySlice<UInt8>) -> Place? {
        let text = text.drop { $0 <= 0x20 }
        func place(_ start: Int) -> Place? {
            let start = text[start...].firstIndex { !isBlank($0) } ?? text.endIndex
            let hasHash = text[..<start].contains(UInt8(ascii: "#"))
            return program(text[start...]).map { Place(start: start, program: $0, isBehindHash: hasHash) }
        }
        let bare = text.firstIndex { !isBlank($0) && !prompts.contains($0) } ?? text.endIndex
        if let found = place(bare) { return found }
        let head = text.prefix(longestPrompt).prefix { $0 != newline }
        for (index, byte) in zip(head.indices, head).dropFirst() where endsPrompt(byte, behind: head[index - 1]) {
            guard index + 1 < text.endIndex, isBlank(text[index + 1]), let found = place(index + 1) else { continue }
            // What stands before a comment may be a URL.
            return String(decoding: head[..<index], as: UTF8.self).contains("://") ? nil : found
        }
        return nil
    }

    /// Whether a prompt of words may end with a byte; behind a blank `#` begins a comment.
    private static func endsPrompt(_ byte: UInt8, behind before: UInt8) -> Bool {
        byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") && before > 0x20
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 && byte != newline }

    private static func program(_ bytes: ArraySlice<UInt8>) -> Program? {
        let head = Array(bytes.prefix(5))
        guard head.count == 5, head[4] <= 0x20 else { return nil }
        return Program(rawValue: String(decoding: head.prefix(4), as: UTF8.self))
    }

    private static func place(ofLine bytes: ArraySlice<UInt8>) -> Place? {
        place(in: bytes.prefix { $0 != newline })
    }

    /// Where the first line begins that is a command, and what it is.
    private static func firstCommand(_ bytes: [UInt8]) -> (line: Int, place: Place)? {
        var line = bytes[...]
        if let place = place(in: line) { return (0, place) }
        while let end = line.firstIndex(of: newline) {
            line = bytes[(end + 1)...]
            if let place = place(ofLine: line) { return (line.startIndex, place) }
        }
        return nil
    }

    /// Reads each command with the lines that it goes on in; other lines stay as they are.
    private mutating func readLines(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            let place = Self.place(ofLine: rest)
            let end = place.map { Self.end(rest[$0.start...]) } ?? rest.firstIndex(of: Self.newline) ?? rest.endIndex
            let lines = String(decoding: rest[(place?.start ?? rest.startIndex)..<end], as: UTF8.self)
            if place != nil { read(Self.words(lines)) } else { text += lines }
            text += "\n"
            rest = rest[min(end + 1, rest.endIndex)...]
        }
    }

    /// Where a command ends: with its line, unless a backslash or a quote goes on; a quote without end does not.
    private static func end(_ bytes: ArraySlice<UInt8>) -> Int {
        let (backslash, single, double) = (UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""))
        var lineEnd: Int?
        var quote: UInt8?
        // Within `$'…'`, which has escapes.
        var isDollar = false
        var before: UInt8 = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            let next = index + 1 < bytes.endIndex ? bytes[index + 1] : 0
            if byte == backslash && (quote != single || isDollar) || byte == UInt8(ascii: "^") && next <= 0x20 {
                let isLine = next == UInt8(ascii: "\r") && bytes[(index + 2)...].first == newline
                (index, before) = (index + (isLine ? 3 : 2), 0)
                continue
            }
            if byte == newline {
                if quote == nil { return index }
                lineEnd = lineEnd ?? index
            } else if let open = quote {
                if byte == open { quote = nil }
            } else if byte == single || byte == double {
                (quote, isDollar) = (byte, byte == single && before == UInt8(ascii: "$"))
            }
            (index, before) = (index + 1, byte)
        }
        return quote == nil ? bytes.endIndex : lineEnd ?? bytes.endIndex
    }

    // MARK: Options

    /// Options that something follows which no request here takes, and which may name a URL.
    private static let longOptions: [String: Part] = [
        "header": .headers, "referer": .headers, "cookie": .headers, "user-agent": .headers, "data": .body,
        "data-raw": .body, "data-binary": .body, "data-ascii": .body, "data-urlencode": .body, "json": .body,
        "form": .body, "form-string": .body, "upload-file": .body, "post-data": .body, "post-file": .body,
        "body-data": .body, "body-file": .body, "request": .method, "method": .method, "user": .user,
        "http-user": .user, "http-password": .user, "password": .user, "proxy": .proxy, "preproxy": .proxy,
        "proxy-header": .proxy, "proxy-user": .proxy, "socks4": .proxy, "socks5": .proxy, "socks5-hostname": .proxy,
        "proxy1.0": .proxy, "range": .headers,
    ]

    /// Options that something else follows which may name a URL.
    private static let longValues: Set<String> = ["base", "doh-url", "input-file", "output", "output-document"]

    /// The same of one letter.
    private static func part(_ letter: UInt8, _ program: Program) -> Part? {
        switch (program, letter) {
        case (.curl, UInt8(ascii: "A")), (.curl, UInt8(ascii: "b")), (.curl, UInt8(ascii: "e")),
            (.curl, UInt8(ascii: "H")), (.curl, UInt8(ascii: "r")), (.wget, UInt8(ascii: "U")):
            .headers
        case (.curl, UInt8(ascii: "d")), (.curl, UInt8(ascii: "F")), (.curl, UInt8(ascii: "T")): .body
        case (.curl, UInt8(ascii: "X")): .method
        case (.curl, UInt8(ascii: "u")): .user
        case (.curl, UInt8(ascii: "x")), (.curl, UInt8(ascii: "U")): .proxy
        default: nil
        }
    }

    /// Letters that something else follows, as the name of a file.
    private static func takesValue(_ letter: UInt8, _ program: Program) -> Bool {
        (program == .curl ? "CDEKPQYcmotwyz" : "ABDIOPQRTXaeilotw").utf8.contains(letter)
    }

    private mutating func read(_ words: [Word]) {
        var rest = words[...]
        var current = program
        var asksByQuery = false
        while let word = rest.popFirst() {
            let name = String(decoding: word.bytes, as: UTF8.self)
            if let other = Program(rawValue: name) {
                // Several may be copied at once.
                current = other
            } else if name.hasPrefix("--") {
                asksByQuery = asksByQuery || name == "--get"
                readLong(name, &rest)
            } else if name.hasPrefix("-") {
                asksByQuery = asksByQuery || current == .curl && name == "-G"
                readShort(word.bytes.dropFirst(), current, &rest)
            } else {
                text += text.isEmpty ? name : word.isFirst ? "\n\(name)" : " \(name)"
            }
        }
        if asksByQuery, parts.remove(.body) != nil { parts.insert(.query) }
    }

    private mutating func readLong(_ word: String, _ rest: inout ArraySlice<Word>) {
        let name = word.dropFirst(2).prefix { $0 != "=" }
        if name == "head" { parts.insert(.method) }
        let part = Self.longOptions[String(name)]
        guard part != nil || Self.longValues.contains(String(name)) else { return }
        let own = name.endIndex < word.endIndex ? Array(word[name.endIndex...].utf8.dropFirst()) : nil
        let value = own ?? rest.popFirst()?.bytes
        if let part { take(part, value ?? []) }
    }

    /// Letters may stand together; what the last one takes may stand behind it or be the next word.
    private mutating func readShort(
        _ letters: ArraySlice<UInt8>,
        _ program: Program,
        _ rest: inout ArraySlice<Word>
    ) {
        for (index, letter) in zip(letters.indices, letters) {
            if program == .curl, letter == UInt8(ascii: "I") { parts.insert(.method) }
            let part = Self.part(letter, program)
            guard part != nil || Self.takesValue(letter, program) else { continue }
            let behind = Array(letters[(index + 1)...])
            let value = behind.isEmpty ? rest.popFirst()?.bytes ?? [] : behind
            if let part { take(part, value) }
            return
        }
    }

    private mutating func take(_ part: Part, _ value: [UInt8]) {
        // It is what a request does anyway.
        if part == .method, value.elementsEqual("GET".utf8) { return }
        parts.insert(part)
    }

    // MARK: Words

    /// The words of a shell, without their quotes and without comments; of Windows' too, which has a `^` before each quote.
    ///
    /// - Complexity: O(length of `text`).
    private static func words(_ text: String) -> [Word] {
        let isCaret = text.contains("^\"")
        let bytes = text.utf8.filter { !isCaret || $0 != UInt8(ascii: "^") }
        var words: [Word] = []
        var word: [UInt8] = []
        var isFirst = true
        // Within a word, which may be empty between its quotes.
        var isOpen = false
        var quote: UInt8?
        // Within `$'…'`, which has escapes.
        var isDollar = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") || isDollar, index < bytes.count {
                if isDollar, let scalar = scalar(bytes[index...]) {
                    word += Array(String(Character(scalar)).utf8)
                    index += 5
                } else {
                    // A line that goes on ends no word.
                    if bytes[index] > 0x20 || bytes[index] == UInt8(ascii: " ") {
                        word.append(bytes[index])
                        isOpen = true
                    }
                    index += 1
                }
            } else if let open = quote {
                if byte == open { (quote, isDollar) = (nil, false) } else { word.append(byte) }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                isDollar = byte == UInt8(ascii: "'") && word == [UInt8(ascii: "$")]
                if isDollar { word = [] }
                (quote, isOpen) = (byte, true)
            } else if byte == UInt8(ascii: "#"), !isOpen {
                while index < bytes.count, bytes[index] != newline { index += 1 }
            } else if byte > 0x20 {
                word.append(byte)
                isOpen = true
            } else {
                if isOpen {
                    words.append(Word(bytes: word, isFirst: isFirst))
                    (word, isOpen, isFirst) = ([], false, false)
                }
                if byte == newline { isFirst = true }
            }
        }
        return isOpen ? words + [Word(bytes: word, isFirst: isFirst)] : words
    }

    /// What `u0021` stands for behind a backslash.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard bytes.first == UInt8(ascii: "u"), bytes.count >= 5 else { return nil }
        let digits = String(decoding: bytes.dropFirst().prefix(4), as: UTF8.self)
        return UInt32(digits, radix: 16).flatMap { Unicode.Scalar($0) }
    }
}
