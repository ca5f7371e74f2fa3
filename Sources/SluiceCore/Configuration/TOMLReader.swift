/// Walks through the bytes of a TOML document: sections, keys, arrays and tables.
///
/// Used by ``TOMLDocument`` only. Texts and numbers are in an extension.
struct TOMLReader {
    /// Arrays and tables within each other, those of dotted names too: what is deeper is an attack on the stack.
    private static let deepest = 64

    let bytes: [UInt8]
    var index = 0
    /// From 1.
    var line = 1
    /// Tables and arrays around what is read.
    private var depth = 0
    /// The header or inline table at hand, so that dotted keys know whose they are.
    private var section = 0
    private var sectionCount = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(TOMLError) -> TOMLTable {
        try checkEncoding()
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let root = TOMLBuilder(.named, line: 1)
        var current = root
        while true {
            skipBlanks()
            guard let byte = peek else { return root.table }
            switch byte {
            case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
            case UInt8(ascii: "["): current = try header(root)
            default: try keyValue(into: current)
            }
            try endOfLine()
        }
    }

    // MARK: Looking at bytes

    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    func fault(_ message: String) -> TOMLError { TOMLError(line: line, message: message) }

    /// - Returns: Whether the byte was next, and is behind now.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: byte) else { return false }
        index += 1
        return true
    }

    func isNext(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return bytes[index..<index + count].elementsEqual(text.description.utf8)
    }

    mutating func skipBlanks() { while let byte = peek, byte == 32 || byte == 9 { index += 1 } }

    /// Takes a line break; a carriage return alone is none.
    mutating func newline() -> Bool {
        if isNext("\r\n") { index += 1 }
        guard take("\n") else { return false }
        line += 1
        return true
    }

    private mutating func comment() throws(TOMLError) {
        guard take("#") else { return }
        while let byte = peek, byte != UInt8(ascii: "\n"), !isNext("\r\n") {
            guard byte >= 32 && byte != 127 || byte == 9 else {
                throw fault("a comment must not hold control characters")
            }
            index += 1
        }
    }

    private mutating func endOfLine() throws(TOMLError) {
        skipBlanks()
        try comment()
        guard index < bytes.count, !newline() else { return }
        throw fault("nothing may follow on this line, but \(found) does; put it on a line of its own")
    }

    private mutating func skipLines() throws(TOMLError) {
        repeat {
            skipBlanks()
            try comment()
        } while newline()
    }

    /// The next character, for a sentence.
    var found: String {
        guard index < bytes.count else { return "the end of the file" }
        if bytes[index] == 10 || bytes[index] == 13 { return "the end of the line" }
        let rest = String(decoding: bytes[index..<min(bytes.count, index + 4)], as: UTF8.self)
        return "'\(rest.prefix(1))'".withVisibleControls
    }

    private func checkEncoding() throws(TOMLError) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var line = 1
        for piece in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            if String(validating: piece, as: UTF8.self) == nil { break }
            line += 1
        }
        throw TOMLError(line: line, message: "the file must be UTF-8, and this line is not")
    }

    // MARK: Keys

    private mutating func key() throws(TOMLError) -> [String] {
        var parts: [String] = []
        repeat {
            if depth + parts.count > Self.deepest { throw tooDeep }
            skipBlanks()
            parts.append(try simpleKey())
            skipBlanks()
        } while take(".")
        return parts
    }

    private mutating func simpleKey() throws(TOMLError) -> String {
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
            if isNext("\"\"\"") || isNext("'''") { throw fault("a key must stand on one line") }
            return try string()
        }
        let start = index
        while let byte = peek, Self.isBareKey(byte) { index += 1 }
        guard index > start else { throw fault("a key is wanted here, and \(found) is none; write 'name = value'") }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    static func isBareKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    // MARK: Sections

    private mutating func header(_ root: TOMLBuilder) throws(TOMLError) -> TOMLBuilder {
        let isArray = isNext("[[")
        index += isArray ? 2 : 1
        sectionCount += 1
        section = sectionCount
        // The last part of its name is a table, too.
        depth = 1
        let parts = try key()
        depth = parts.count
        guard take("]"), !isArray || take("]") else {
            throw fault("the name of a section ends with \(isArray ? "]]" : "]"), not with \(found)")
        }
        var parent = root
        for part in parts.dropLast() { parent = try step(into: part, of: parent) }
        let name = parts[parts.count - 1]
        return isArray ? try open(arrayTable: name, in: parent) : try open(table: name, in: parent)
    }

    private func step(into part: String, of parent: TOMLBuilder) throws(TOMLError) -> TOMLBuilder {
        guard let entry = parent[part] else {
            let table = TOMLBuilder(.implied, line: line)
            parent.add(part, .table(table), line: line)
            return table
        }
        switch entry.item {
        case .table(let table) where table.kind != .inline: return table
        case .tables(let tables): return tables[tables.count - 1]
        case .table, .value: throw taken(part, entry)
        }
    }

    private func open(table name: String, in parent: TOMLBuilder) throws(TOMLError) -> TOMLBuilder {
        if let entry = parent[name] {
            guard case .table(let table) = entry.item, table.kind == .implied else { throw taken(name, entry) }
            table.kind = .named
            return table
        }
        let table = TOMLBuilder(.named, line: line)
        parent.add(name, .table(table), line: line)
        return table
    }

    private func open(arrayTable name: String, in parent: TOMLBuilder) throws(TOMLError) -> TOMLBuilder {
        let table = TOMLBuilder(.named, line: line)
        if let entry = parent[name] {
            guard case .tables = entry.item else { throw taken(name, entry) }
            parent.append(table, to: name)
        } else {
            parent.add(name, .tables([table]), line: line)
        }
        return table
    }

    private func taken(_ name: String, _ entry: TOMLBuilder.Entry) -> TOMLError {
        fault("\(name.withVisibleControls) was given already on line \(entry.line); give it once")
    }

    // MARK: Entries and values

    private mutating func keyValue(into table: TOMLBuilder) throws(TOMLError) {
        let start = line
        let parts = try key()
        guard take("=") else { throw fault("'=' is wanted behind the key, and \(found) is there") }
        skipBlanks()
        depth += parts.count - 1
        defer { depth -= parts.count - 1 }
        var parent = table
        for part in parts.dropLast() { parent = try dottedStep(into: part, of: parent) }
        let name = parts[parts.count - 1]
        if let entry = parent[name] { throw taken(name, entry) }
        parent.add(name, .value(try value()), line: start)
    }

    private func dottedStep(into part: String, of parent: TOMLBuilder) throws(TOMLError) -> TOMLBuilder {
        guard let entry = parent[part] else {
            let table = TOMLBuilder(.dotted, line: line, section: section)
            parent.add(part, .table(table), line: line)
            return table
        }
        // Dotted keys add to what they made themselves in this section, and to nothing else.
        guard case .table(let table) = entry.item, table.kind == .dotted, table.section == section else {
            throw taken(part, entry)
        }
        return table
    }

    mutating func value() throws(TOMLError) -> TOMLNode {
        let start = line
        guard let byte = peek else { throw fault("a value is wanted behind '=', and the file ends") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return TOMLNode(.string(try string()), line: start)
        case UInt8(ascii: "["):
            return TOMLNode(.array(try array()), line: start)
        case UInt8(ascii: "{"):
            return TOMLNode(.table(try inlineTable()), line: start)
        default:
            return TOMLNode(try bareValue(), line: start)
        }
    }

    private mutating func enter() throws(TOMLError) {
        depth += 1
        index += 1
        if depth > Self.deepest { throw tooDeep }
    }

    private var tooDeep: TOMLError { fault("arrays and tables stand at most \(Self.deepest) deep in each other") }

    private mutating func array() throws(TOMLError) -> [TOMLNode] {
        try enter()
        defer { depth -= 1 }
        var nodes: [TOMLNode] = []
        while true {
            try skipLines()
            if take("]") { return nodes }
            if !nodes.isEmpty, index >= bytes.count { throw fault("an array ends with ], and the file ends before") }
            nodes.append(try value())
            try skipLines()
            if take(",") { continue }
            guard take("]") else { throw fault("',' or ']' is wanted in the array, and \(found) is there") }
            return nodes
        }
    }

    private mutating func inlineTable() throws(TOMLError) -> TOMLTable {
        try enter()
        let outer = section
        sectionCount += 1
        section = sectionCount
        defer { (depth, section) = (depth - 1, outer) }
        let table = TOMLBuilder(.inline, line: line)
        skipBlanks()
        if take("}") { return table.table }
        while true {
            try keyValue(into: table)
            skipBlanks()
            if take("}") { return table.table }
            guard take(",") else { throw fault("',' or '}' is wanted in the table, and \(found) is there") }
        }
    }
}
