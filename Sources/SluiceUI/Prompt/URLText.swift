internal import SluiceCore

/// Looks at text the way a person means it: is it a URL, could it be one, which ones does it hold.
///
/// What a URL is, ``RequestURL`` says, so that what is taken here is what the pipeline takes.
/// Never decodes more than a name for the screen, and works on bytes, since pastes can be large.
enum URLText {
    /// Whether `word` is a whole URL of a scheme that Sluice speaks.
    static func isURL(_ word: some StringProtocol) -> Bool { fault(of: word) == nil }

    /// What is wrong with a word that should be a URL; `nil` for one that is.
    static func fault(of word: some StringProtocol) -> String? {
        guard !word.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return "a URL has no blanks" }
        do throws(DownloadError) {
            _ = try RequestURL(String(word))
            return nil
        } catch {
            return error.message
        }
    }

    /// Whether `word` begins with a scheme that Sluice speaks, so that a URL is meant, whatever follows.
    static func hasScheme(_ word: String) -> Bool {
        ["http:", "https:", "file:", "data:"].contains { word.prefix($0.count).lowercased() == $0 }
    }

    /// Whether `word` begins with any scheme, as `magnet:` does; what has a port, a path or a user there does not.
    static func namesScheme(_ word: String) -> Bool {
        if hasScheme(word) { return true }
        let scheme = word.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-") }
        let rest = word.dropFirst(scheme.count)
        guard scheme.count > 1, scheme.first?.isLetter == true, rest.first == ":" else { return false }
        return rest.dropFirst().first.map { !$0.isNumber } == true && !rest.contains("@")
    }

    /// `https://` before text that looks like a host with a path, perhaps behind a user, or `nil`.
    static func offer(_ word: some StringProtocol) -> String? {
        // No domain ends as lists of URLs do.
        guard !word.contains("://"), word.contains("/") || !PathText.hasListEnding(word) else { return nil }
        var place = Substring(String(word.prefix { $0 != "/" && $0 != "?" && $0 != "#" }))
        if let at = place.lastIndex(of: "@") {
            guard isUser(place[..<at]) else { return nil }
            // A mail address is no URL.
            if !place[..<at].contains(":"), !word.contains("/") { return nil }
            place = place[at...].dropFirst()
        }
        guard looksLikeHost(place) else { return nil }
        let offer = "https://" + word
        return isURL(offer) ? offer : nil
    }

    /// What stands before a colon of a URL without slashes, and may have an `@` behind it.
    private static let schemes: Set<String> = [
        "acct", "data", "file", "http", "https", "mailto", "sip", "sips", "xmpp",
    ]

    /// Whether that is a name, alone or with a password behind a colon, and no scheme as of `mailto:`.
    private static func isUser(_ text: Substring) -> Bool {
        let name = text.prefix { $0 != ":" }
        // One that begins with it names a list.
        guard !name.isEmpty, !name.contains("@") else { return false }
        return name.endIndex == text.endIndex || !schemes.contains(name.lowercased())
    }

    /// Whether that is a name with dots, `localhost` or an address, each with or without a port.
    private static func looksLikeHost(_ place: Substring) -> Bool {
        let isBracketed = place.first == "["
        let bracket = isBracketed ? place.firstIndex(of: "]") : nil
        let host = bracket.map { place[...$0] } ?? place.prefix { $0 != ":" }
        let port = place[host.endIndex...]
        guard port.isEmpty || (port.count > 1 && port.first == ":" && port.dropFirst().allSatisfy(\.isNumber)) else {
            return false
        }
        // What is no address there is no URL either.
        if isBracketed { return bracket != nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1 || host.lowercased() == "localhost", let top = labels.last, !top.isEmpty else {
            return false
        }
        let isHost = labels.allSatisfy { label in
            !label.isEmpty && label.first != "-" && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        }
        return isHost && (labels.count == 4 || top.contains(where: \.isLetter))
    }

    /// Whether a URL has more than a host, so that a word behind a blank could be the rest of it.
    static func hasPath(_ url: String) -> Bool {
        guard let rest = afterScheme(url) else { return true }
        return rest.drop { $0 != "/" && $0 != "?" && $0 != "#" }.count > 1
    }

    /// Every http or https URL in `text`, in order, equal ones too.
    ///
    /// - Complexity: O(length of `text`).
    static func urls(in text: String) -> [String] { pasted(in: text).urls }

    /// What a pasted text holds: its http and https URLs, and what looks like a URL and is not taken.
    ///
    /// Whatever names a scheme with `://` was meant as a URL, except in a comment; other words are prose, and so is a
    /// bare `http://` among them. Of a line of `curl` or `wget` only what it asks for counts.
    ///
    /// - Complexity: O(length of `text`).
    static func pasted(in text: String) -> PastedURLs {
        guard let command = CopiedCommand(text) else { return found(in: text) }
        var found = found(in: command.text)
        found.note = command.note
        return found
    }

    private static func found(in text: String) -> PastedURLs {
        let bytes = Array(text.utf8)
        var found = PastedURLs()
        // Behind the last URL, where the next scheme may begin at the earliest.
        var last = 0
        var index = 0
        // Where the first byte of the line stands that is no blank.
        var head: Int?
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { head = nil }
            if head == nil, byte > 0x20 { head = index }
            let length = byte | 0x20 == UInt8(ascii: "h") ? schemeLength(bytes, at: index) : nil
            let isForeign = length == nil && byte == UInt8(ascii: ":") && bytes[index...].starts(with: "://".utf8)
            guard length != nil || isForeign else {
                index += 1
                continue
            }
            let rest = index + (length ?? 3)
            var end = rest
            while end < bytes.count, !endsURL(bytes[end]), !isBetweenURLs(bytes, at: end) {
                // What is not taken may have one in it that is.
                if isForeign, bytes[end] | 0x20 == UInt8(ascii: "h"), schemeLength(bytes, at: end) != nil { break }
                end += 1
            }
            let isComment = head.map { bytes[$0] == UInt8(ascii: "#") } ?? false
            if length != nil {
                let candidate = String(decoding: trimmed(bytes[index..<end]), as: UTF8.self)
                if let fault = fault(of: candidate) {
                    let isBare = candidate.utf8.count <= rest - index
                    if !isComment, !isBare || isLine(index..<end, of: bytes, head: head) { found.refuse(fault) }
                } else {
                    found.urls.append(candidate)
                }
            } else if !isComment, let scheme = scheme(bytes[last..<index]),
                end > rest || isLine(index - scheme.utf8.count..<end, of: bytes, head: head)
            {
                // Typed it is taken; what a page or a mail brings along must not read files.
                found.refuse(scheme == "file" ? "file:// is typed, not pasted" : "\(scheme):// is not supported")
            }
            (index, last) = (end, end)
        }
        return found
    }

    /// Where the URLs begin that a word holds without a blank between them, each behind a comma or semicolon.
    ///
    /// Those of content are content.
    static func starts(in word: [Character]) -> [Int] {
        let bytes = word.map { $0.utf8.count == 1 ? $0.utf8.first ?? 0 : 0 }
        guard !String(word.prefix(5)).lowercased().hasPrefix("data:"), word.first != "@" else { return [0] }
        return [0] + bytes.indices.dropFirst().filter { isBetweenURLs(bytes, at: $0) }.map { $0 + 1 }
    }

    /// The last part of the path, percent-decoded, else the host; not sanitised.
    static func name(of url: some StringProtocol) -> String {
        guard let rest = afterScheme(url) else { return localName(of: String(url)) }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let parts = PathText.parts(of: path)
        guard let last = parts.last else { return String(rest) }
        return parts.count > 1 ? decoded(last) : last
    }

    /// The host of a URL without credentials, with its port if it has one.
    static func host(of url: some StringProtocol) -> String {
        guard let rest = afterScheme(url) else { return "" }
        return String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// ``host(of:)`` without its port and its brackets: as rows of what runs name it, which the pipeline parsed.
    static func hostName(of url: some StringProtocol) -> String {
        let host = host(of: url)
        if host.first == "[", let end = host.firstIndex(of: "]") { return String(host[..<end].dropFirst()) }
        guard let colon = host.lastIndex(of: ":") else { return host }
        return host[colon...].dropFirst().allSatisfy(\.isNumber) ? String(host[..<colon]) : host
    }

    /// Folders that are told apart; what lies deeper is one.
    private static let mostFolders = 32

    /// The host, and the folders that lead to the last part of the path; all of a path that ends with a slash.
    ///
    /// Decoded as ``name(of:)`` is, and not sanitised.
    static func folders(of url: String) -> [String] {
        let slash = UInt8(ascii: "/")
        let path = (afterScheme(url) ?? url[...]).utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var parts = path.split(separator: slash, maxSplits: mostFolders)
        if parts.count > 1, path.last != slash { parts.removeLast() }
        return parts.map { decoded(String(decoding: $0, as: UTF8.self)) }
    }

    /// The query with its question mark, decoded; empty without one, and not sanitised.
    static func query(of url: String) -> String {
        let rest = url.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }
        return decoded(String(decoding: rest, as: UTF8.self))
    }

    /// Without `user:password@` behind any `://`, whatever stands between the URLs of a line, and where it begins what
    /// is offered with a scheme.
    ///
    /// One in a query goes too, which does no harm. Looks at scalars: a mark behind a slash makes one cluster of both.
    ///
    /// - Complexity: O(length of `line`).
    static func withoutCredentials(_ line: String) -> String {
        let scalars = Array(line.unicodeScalars)
        var kept = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            guard scalars[index...].starts(with: "://".unicodeScalars) else {
                kept.append(scalars[index])
                index += 1
                continue
            }
            kept.append(contentsOf: "://".unicodeScalars)
            index += 3
            let authority = scalars[index...].prefix { !endsAuthority($0) }
            if let at = authority.lastIndex(of: "@") { index = at + 1 }
        }
        return withoutOfferedUsers(String(kept))
    }

    private static func withoutOfferedUsers(_ line: String) -> String {
        let characters = Array(line)
        let head = characters.drop(while: \.isWhitespace)
        // All of a line that begins so is the name of a list.
        guard characters.contains("@"), head.first != "@" else { return line }
        if head.first == ":" {
            let name = String(head.dropFirst().drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
            // Behind other commands are files and texts, which may look like it.
            guard case .url? = CommandTable.definition(of: name)?.argument else { return line }
        }
        var kept: [Character] = []
        var index = 0
        while index < characters.count {
            let end = characters[index...].firstIndex(where: \.isWhitespace) ?? characters.count
            let word = Array(characters[index..<end])
            let starts = starts(in: word)
            for (place, start) in starts.enumerated() {
                let next = place + 1 < starts.count ? starts[place + 1] : word.count
                // Without what stands between two URLs.
                let url = word[start..<(place + 1 < starts.count ? next - 1 : next)]
                let at = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lastIndex(of: "@")
                var first = start
                if let at, offer(String(url)) != nil { first = at + 1 }
                kept += word[first..<next]
            }
            if end < characters.count { kept.append(characters[end]) }
            index = end + 1
        }
        return String(kept)
    }

    /// The same for what names no server: the last part of a file's path, and of content what stands before it.
    private static func localName(of url: String) -> String {
        if url.hasPrefix("data:"), let comma = url.firstIndex(of: ",") { return String(url[..<comma]) }
        guard url.hasPrefix("file:"), let last = PathText.parts(of: url).dropFirst().last else { return url }
        return decoded(last)
    }

    private static func afterScheme<Text: StringProtocol>(_ url: Text) -> Text.SubSequence? {
        for scheme in ["https://", "http://"] where url.prefix(scheme.count).lowercased() == scheme {
            return url.dropFirst(scheme.count)
        }
        return nil
    }

    private static func schemeLength(_ bytes: [UInt8], at index: Int) -> Int? {
        for scheme in ["http://", "https://"] where index + scheme.utf8.count <= bytes.count {
            if zip(bytes[index...], scheme.utf8).allSatisfy({ isLetter($0) ? $0 | 0x20 == $1 : $0 == $1 }) {
                return scheme.utf8.count
            }
        }
        return nil
    }

    /// Whether a comma or semicolon stands there, and behind it another URL: then it ends the one before.
    private static func isBetweenURLs(_ bytes: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: ";") else { return false }
        return schemeLength(bytes, at: index + 1) != nil
    }

    /// Whether nothing else stands on the line that begins with `head`.
    private static func isLine(_ range: Range<Int>, of bytes: [UInt8], head: Int?) -> Bool {
        guard range.lowerBound == head else { return false }
        let isEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return bytes[range.upperBound...].first { $0 > 0x20 || isEnd($0) }.map(isEnd) ?? true
    }

    /// The scheme at the end of `bytes`, in small letters, or `nil` if none stands there.
    private static func scheme(_ bytes: ArraySlice<UInt8>) -> String? {
        let signs = "+-.".utf8
        let isDigit = { (byte: UInt8) in byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
        // The registered ones are shorter; what is longer is no word.
        let tail = bytes.suffix(32)
        let start = tail.lastIndex { !isLetter($0) && !isDigit($0) && !signs.contains($0) }.map { $0 + 1 }
        let scheme = tail[(start ?? tail.startIndex)...].drop { !isLetter($0) }
        return scheme.isEmpty ? nil : String(decoding: scheme, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func endsAuthority(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "/" || scalar == "?" || scalar == "#" || scalar.properties.isWhitespace
    }

    private static func endsURL(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>`|\\^".utf8.contains(byte)
    }

    /// Without the punctuation of the sentence around it.
    ///
    /// - Complexity: O(length of `url`): brackets of a kind are counted once.
    private static func trimmed(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var url = url
        // By closing bracket, how many more of them there are than opening ones.
        var surplus: [UInt8: Int] = [:]
        while let last = url.last {
            let opening: UInt8? =
                switch last {
                case UInt8(ascii: ")"): UInt8(ascii: "(")
                case UInt8(ascii: "]"): UInt8(ascii: "[")
                case UInt8(ascii: "}"): UInt8(ascii: "{")
                default: nil
                }
            if let opening {
                let more = surplus[last] ?? url.reduce(0) { $0 + ($1 == last ? 1 : $1 == opening ? -1 : 0) }
                guard more > 0 else { return url }
                surplus[last] = more - 1
            } else if !".,;:!?'*".utf8.contains(last) {
                return url
            }
            url.removeLast()
        }
        return url
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        return String(validating: PercentEncoding.decode(Array(text.utf8)), as: UTF8.self) ?? String(text)
    }
}
