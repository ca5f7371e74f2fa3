import SluiceCore

/// One history of a resource, written as text: what is asked, what the origin says, and who must answer.
///
/// Steps are separated by ` / `. A step is tokens, ` > `, and who answers:
/// `net`, `again` (the origin was asked twice), `disk`, `behind` (disk, and the origin was asked behind it),
/// `reval` (the origin said 304), `reject` (without asking) or `fail`. Behind it may stand
/// `=N` (the body is that of the origin's Nth answer), `if` or `noif` (a condition was sent, or none), and
/// `Name:value`, the only field of that name that was served; `Name:` says that none was.
///
/// Tokens: `+N` lets N seconds pass first; `HEAD` asks by that method, whose answer has no body; `?Name:value` is a
/// field of the request; `@policy` a policy; `#user` credentials; `NNN` the status of the origin's answer, and
/// `Name:value` a field of it, but what stands before a status below 200 is an interim head of its own; `cut` ends the
/// body too soon. In values `~` is a blank, and `{N}` the date N seconds from now.
struct HTTPCacheRow: Sendable, CustomStringConvertible {
    struct Step: Sendable {
        var advance = 0
        var isHead = false
        var requestFields: [HeaderField] = []
        var policy: CachePolicy?
        var user: String?
        var interim: [(status: Int, fields: [HeaderField])] = []
        var status = 200
        var answerFields: [HeaderField] = []
        var isCut = false
        var source = ""
        var version: Int?
        var isConditional: Bool?
        /// Without a value where none of that name may be there.
        var servedFields: [HeaderField] = []
    }

    /// Of RFC 9111, unless another is named; of the docs' rules where it is a word.
    let section: String
    let name: String
    let text: String
    let steps: [Step]

    var description: String { "\(section): \(name)" }

    init(_ section: String, _ name: String, _ text: String) {
        (self.section, self.name, self.text) = (section, name, text)
        steps = Self.split(text, by: " / ").map { Self.step($0) }
    }

    private static func step(_ text: String) -> Step {
        let sides = split(text, by: "> ")
        precondition(sides.count == 2, "a step says who answers: \(text)")
        var step = Step()
        for token in sides[0].split(separator: " ").map(String.init) { take(token, &step) }
        for word in sides[1].split(separator: " ").map(String.init) {
            switch word {
            case "if": step.isConditional = true
            case "noif": step.isConditional = false
            case _ where word.contains(":"): step.servedFields.append(field(word))
            default:
                let parts = word.split(separator: "=")
                step.source = String(parts[0])
                step.version = parts.count > 1 ? Int(parts[1]) : nil
            }
        }
        return step
    }

    private static func take(_ token: String, _ step: inout Step) {
        let rest = String(token.dropFirst())
        switch token.first {
        case "+": step.advance = Int(rest) ?? 0
        case "?": step.requestFields.append(field(rest))
        case "@":
            guard let policy = CachePolicy(rawValue: rest) else { preconditionFailure("no policy: \(rest)") }
            step.policy = policy
        case "#": step.user = rest
        default:
            switch token {
            case "HEAD": step.isHead = true
            case "cut": step.isCut = true
            default: takeAnswer(token, &step)
            }
        }
    }

    private static func takeAnswer(_ token: String, _ step: inout Step) {
        switch Int(token) {
        case let status? where status < 200:
            step.interim.append((status, step.answerFields))
            step.answerFields = []
        case let status?: step.status = status
        case nil: step.answerFields.append(field(token))
        }
    }

    private static func field(_ text: String) -> HeaderField {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        precondition(parts.count == 2, "a field has a name and a value: \(text)")
        let value = parts[1].map { $0 == "~" ? " " : String($0) }.joined()
        return HeaderField(String(parts[0]), value)
    }

    private static func split(_ text: String, by separator: String) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while let range = range(of: separator, in: rest) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }

    private static func range(of separator: String, in text: Substring) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(separator) { return start..<text.index(start, offsetBy: separator.count) }
            start = text.index(after: start)
        }
        return nil
    }
}

extension HeaderField {
    /// With the dates of a row's text filled in.
    ///
    /// - Parameter now: In seconds since 1970.
    /// - Returns: The field as it is sent.
    func dated(now: Int) -> HeaderField {
        var result = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open] + HTTPDateText.text(now + (Int(rest[rest.index(after: open)..<close]) ?? 0))
            rest = rest[rest.index(after: close)...]
        }
        return HeaderField(name, result + rest)
    }
}
