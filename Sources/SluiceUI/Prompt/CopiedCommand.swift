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

    /// The words that may be URLs, in their lines.
    private(set) var text = ""
    private let program: Program
    private var parts: Set<Part> = []

    /// - Returns: `nil` for a text that does not begin with the name of one of them and a blank.
    init?(_ text: String) {
        let head = text.utf8.drop { $0 <= 0x20 || $0 == UInt8(ascii: "$") }.prefix(5)
        guard head.count == 5, head.last.map({ $0 <= 0x20 }) == true,
            let program = Program(rawValue: String(decoding: head.prefix(4), as: UTF8.self))
        else { return nil }
        self.program = program
        read(Self.words(text))
    }

    /// The same for a line that is edited, which is looked at with every key.
    init?(typed characters: [Character]) {
        guard let first = characters.first(where: { !$0.isWhitespace }), "cw$".contains(first) else { return nil }
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
        let newline = UInt8(ascii: "\n")
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
