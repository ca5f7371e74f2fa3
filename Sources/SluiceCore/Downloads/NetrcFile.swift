/// Reads a netrc file: who the user is on which machine.
///
/// Pure: it reads text, not files. Macros are skipped, accounts ignored; anything else that
/// is no netrc is an error with its line, since a half-read one would send the wrong name.
///
/// - SeeAlso: `ftp(1)`, and curl's manual on `--netrc`.
public enum NetrcFile {
    /// What is wrong with the file.
    public struct Problem: Error, Equatable, Sendable {
        /// From 1.
        public let line: Int
        /// What is there, and what may stand there; without the line.
        public let message: String
    }

    private struct Entry {
        var hosts: HostPattern
        var login: String?
        var password: String?
    }

    /// - Parameter text: The whole file.
    /// - Returns: In the order of the file; entries without a login are left out, `default` stands for all hosts.
    /// - Throws: For the first thing that no netrc file has.
    public static func parse(_ text: String) throws(Problem) -> [HostRules.Login] {
        var entries: [Entry] = []
        var words = NetrcWords(text)
        while let word = try words.nextKeyword() {
            switch word.text {
            case "machine":
                let name = try words.value(of: "machine")
                guard let hosts = HostPattern(name), !hosts.isWide else {
                    throw Problem(
                        line: word.line,
                        message: "machine names one host, and \(name.withVisibleControls) is none"
                    )
                }
                entries.append(Entry(hosts: hosts))
            case "default":
                entries.append(Entry(hosts: .all))
            case "macdef":
                words.skipMacro()
            case "login", "password", "account":
                let value = try words.value(of: word.text)
                guard !entries.isEmpty else {
                    throw Problem(line: word.line, message: "\(word.text) stands before any machine")
                }
                if word.text == "login" { entries[entries.count - 1].login = value }
                if word.text == "password" { entries[entries.count - 1].password = value }
            default:
                // Not the word itself: it may be a password that lost its place.
                let allowed = "machine, default, login, password, account or macdef"
                throw Problem(line: word.line, message: "\(allowed) is wanted here, and something else is there")
            }
        }
        return entries.compactMap { entry in
            guard let login = entry.login else { return nil }
            let credentials = Credentials(user: login, password: entry.password ?? "")
            return HostRules.Login(hosts: entry.hosts, credentials: credentials)
        }
    }
}

/// The words of a netrc file: separated by white space, in quotes if they hold any.
private struct NetrcWords {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    init(_ text: String) {
        let bytes = Array(text.utf8)
        // Editors of other systems begin a file with the mark of its encoding.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The next word where a keyword may stand: what begins with # there is a comment, up to the end of its line.
    mutating func nextKeyword() throws(NetrcFile.Problem) -> (text: String, line: Int)? {
        skipBlanks()
        while index < bytes.count, bytes[index] == UInt8(ascii: "#") {
            while index < bytes.count, bytes[index] != 10 { index += 1 }
            skipBlanks()
        }
        return try next()
    }

    private mutating func next() throws(NetrcFile.Problem) -> (text: String, line: Int)? {
        skipBlanks()
        guard index < bytes.count else { return nil }
        let start = line
        if bytes[index] == UInt8(ascii: "\"") { return (try quoted(), start) }
        var word: [UInt8] = []
        while index < bytes.count, bytes[index] > 32 {
            word.append(bytes[index])
            index += 1
        }
        return (String(decoding: word, as: UTF8.self), start)
    }

    mutating func value(of name: String) throws(NetrcFile.Problem) -> String {
        let at = line
        guard let word = try next() else {
            throw NetrcFile.Problem(line: at, message: "\(name) has no value: the file ends behind it")
        }
        return word.text
    }

    /// A macro ends at an empty line, with or without a carriage return.
    mutating func skipMacro() {
        var isEmpty = false
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 10 {
                line += 1
                if isEmpty { return }
                isEmpty = true
            } else if byte != 13 {
                isEmpty = false
            }
        }
    }

    private mutating func quoted() throws(NetrcFile.Problem) -> String {
        let start = line
        var word: [UInt8] = []
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            if bytes[index] == 10 { line += 1 }
            word.append(bytes[index])
            index += 1
        }
        guard index < bytes.count else { throw NetrcFile.Problem(line: start, message: "a quote has no end") }
        index += 1
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] <= 32 {
            if bytes[index] == 10 { line += 1 }
            index += 1
        }
    }
}
