internal import SluiceCore

/// What Tab may put in place of the word before the cursor.
struct Completion: Equatable, Sendable {
    /// Words to choose from, or a folder that must be read first.
    enum Source: Equatable, Sendable {
        case words([String])
        /// Names in a folder, of those that start so.
        case folder(path: String, prefix: String)
    }

    /// Clusters of the line that are replaced.
    let range: Range<Int>
    /// In the order in which Tab offers them; a folder ends with `/`.
    private(set) var candidates: [String]
    /// The one in the line; `nil` while the line has what they have in common.
    private(set) var index: Int?

    init(range: Range<Int>, candidates: [String]) { (self.range, self.candidates) = (range, candidates) }

    /// The next one, round the end.
    mutating func advance() -> String {
        index = ((index ?? -1) + 1) % candidates.count
        return candidates[index ?? 0]
    }

    /// The same for a word of another length in the line.
    func moved(to length: Int) -> Completion {
        var moved = Completion(range: range.lowerBound..<range.lowerBound + length, candidates: candidates)
        moved.index = index
        return moved
    }

    /// The longest start that all have in common.
    var common: String {
        var common = candidates.first ?? ""
        for candidate in candidates.dropFirst() { common = common.commonPrefix(with: candidate) }
        return common
    }

    /// What the word before the cursor may become; known hosts have the scheme that each is used with.
    ///
    /// - Returns: The clusters that it stands in, and where to look; `nil` where nothing can be completed.
    static func wanted(
        _ characters: [Character],
        cursor: Int,
        hosts: [String],
        themes: [String] = []
    ) -> (range: Range<Int>, source: Source)? {
        let head = characters[..<cursor]
        let lineStart = head.firstIndex { !$0.isWhitespace } ?? cursor
        if lineStart < cursor, head[lineStart] == ":" {
            return command(head, from: lineStart + 1, hosts: hosts, themes: themes)
        }
        if lineStart < cursor, head[lineStart] == "@" { return file(head, from: lineStart + 1) }
        let start = (head.lastIndex(where: \.isWhitespace) ?? lineStart - 1) + 1
        if start < cursor, head[start] == "@" { return file(head, from: start + 1) }
        return host(head, from: start, hosts: hosts)
    }

    private static func command(
        _ head: ArraySlice<Character>,
        from start: Int,
        hosts: [String],
        themes: [String]
    ) -> (range: Range<Int>, source: Source)? {
        let begin = head[start...].firstIndex { !$0.isWhitespace } ?? head.endIndex
        guard let blank = head[begin...].firstIndex(where: \.isWhitespace) else {
            return words(CommandTable.all.map(\.name), head, from: begin)
        }
        let name = String(head[begin..<blank])
        guard let argument = CommandTable.all.first(where: { $0.name == name })?.argument else { return nil }
        let argumentStart = head[blank...].firstIndex { !$0.isWhitespace } ?? head.endIndex
        switch argument {
        case .none, .text: return nil
        case .optional(let allowed), .word(let allowed, _): return words(allowed, head, from: argumentStart)
        case .theme: return words(themes, head, from: argumentStart)
        case .file:
            // As where URLs are typed, an `@` may stand before it.
            let isMarked = argumentStart < head.endIndex && head[argumentStart] == "@"
            return file(head, from: isMarked ? argumentStart + 1 : argumentStart)
        case .url:
            let start = (head.lastIndex(where: \.isWhitespace) ?? argumentStart) + 1
            return host(head, from: max(start, argumentStart), hosts: hosts)
        case .value(let setting): return words(Settings.words(of: setting), head, from: argumentStart)
        case .setting:
            guard let second = head[argumentStart...].firstIndex(where: \.isWhitespace) else {
                return words(Settings.names, head, from: argumentStart)
            }
            let valueStart = head[second...].firstIndex { !$0.isWhitespace } ?? head.endIndex
            return words(Settings.words(of: String(head[argumentStart..<second])), head, from: valueStart)
        }
    }

    private static func words(
        _ words: [String],
        _ head: ArraySlice<Character>,
        from start: Int
    ) -> (range: Range<Int>, source: Source)? {
        let typed = String(head[start...]).lowercased()
        let fitting = words.filter { $0.lowercased().hasPrefix(typed) }
        return fitting.isEmpty ? nil : (start..<head.endIndex, .words(fitting))
    }

    private static func file(_ head: ArraySlice<Character>, from start: Int) -> (range: Range<Int>, source: Source)? {
        let slash = head[start...].lastIndex(of: "/")
        let nameStart = slash.map { $0 + 1 } ?? start
        let folder = slash.map { String(head[start...$0]) } ?? ""
        return (nameStart..<head.endIndex, .folder(path: folder, prefix: String(head[nameStart...])))
    }

    private static func host(
        _ head: ArraySlice<Character>,
        from start: Int,
        hosts: [String]
    ) -> (range: Range<Int>, source: Source)? {
        let typed = String(head[start...])
        guard !typed.isEmpty else { return nil }
        // One that was typed is meant, whatever the host was used with.
        let scheme = ["https://", "http://"].first { typed.hasPrefix($0) }
        let words = hosts.compactMap { known -> String? in
            let host = URLText.host(of: known)
            if let scheme { return (scheme + host).hasPrefix(typed) ? "\(scheme)\(host)/" : nil }
            return host.hasPrefix(typed) ? known + "/" : nil
        }
        .filter { $0 != typed }
        return words.isEmpty ? nil : (start..<head.endIndex, .words(words))
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
