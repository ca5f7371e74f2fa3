internal import SluiceCore

/// What a typed line means: URLs, a text with some, lists to read, offers, what is none of it, or a command.
///
/// Series are counted, not spelled out: that is done once, when the line is entered.
struct PromptLine: Equatable {
    /// One word of the line.
    struct Word: Equatable {
        enum Meaning: Equatable {
            /// Whole, with its scheme; how many URLs it stands for.
            case url(String, count: Int)
            /// Path of a list file, from `@path`.
            case list(String)
            case invalid
        }
        let text: String
        /// Its first cluster in the line.
        let start: Int
        let meaning: Meaning
        /// Whether the scheme is only offered.
        var isOffer = false
        /// What is wrong with the series of a URL that is well otherwise, or with a word that may be the rest of one.
        var fault: String?
    }

    private(set) var words: [Word] = []
    /// What follows the colon, for a line that starts with one.
    private(set) var command: String?
    /// What a line of `curl` gives besides its URLs, and is not taken.
    private(set) var note: String?

    init(_ text: String) { self.init(Array(text)) }

    init(_ characters: [Character]) {
        let start = characters.firstIndex { !$0.isWhitespace } ?? characters.count
        guard start < characters.count else { return }
        if characters[start] == ":" {
            command = String(characters[(start + 1)...])
            return
        }
        if characters[start] == "@" {
            // A path may hold blanks.
            let path = String(characters[(start + 1)...]).trimmed
            if !path.isEmpty { words = [Word(text: "@" + path, start: start, meaning: .list(path))] }
            return
        }
        var index = start
        while index < characters.count {
            let end = characters[index...].firstIndex(where: \.isWhitespace) ?? characters.count
            if end > index { words += Self.words(Array(characters[index..<end]), at: index) }
            index = end + 1
        }
        if let copied = CopiedCommand(typed: characters), let found = Self.urls(of: copied) {
            words = found.map { Self.word($0, at: start) }
            note = copied.note
        } else if let found = urlsOfText(characters) {
            words = found.map { Word(text: $0, start: start, meaning: .url($0, count: 1)) }
        } else {
            refuseRests()
        }
    }

    /// Refuses what stands behind a URL and has no scheme: it may be the rest of that URL, written with a blank.
    ///
    /// Two downloads of which neither was meant would be worse. Who types no scheme at all means a URL with each path.
    private mutating func refuseRests() {
        // The URL that may go on behind the blank.
        var last: Word?
        for (index, word) in words.enumerated() {
            switch word.meaning {
            case .list: last = nil
            case .url(let url, _):
                guard let before = last, word.isOffer, !Self.hasOwnHost(word.text, behind: before) else {
                    last = URLText.hasPath(url) ? word : nil
                    continue
                }
                refuse(at: index, "\(RequestURL.withoutCredentials(word.text)) lacks https://")
            case .invalid:
                guard last != nil, word.fault == nil, !URLText.namesScheme(word.text), !word.text.contains("://") else {
                    continue
                }
                refuse(at: index, "no URL: \(RequestURL.withoutCredentials(word.text))")
            }
        }
    }

    /// Whether a word without a scheme is a URL of its own: a host and a path, as nobody names the rest of a file.
    private static func hasOwnHost(_ text: String, behind before: Word) -> Bool {
        guard let slash = text.firstIndex(of: "/") else { return false }
        let place = text[..<slash].lowercased()
        // One label alone is `localhost`, or a host of the user's network with its port.
        return before.isOffer || place.contains { $0 == "." || $0 == ":" } || place == "localhost"
            || place.hasSuffix("@localhost")
    }

    private mutating func refuse(at index: Int, _ reason: String) {
        let fault = reason + "; a blank in a URL is %20"
        words[index] = Word(text: words[index].text, start: words[index].start, meaning: .invalid, fault: fault)
    }

    /// The URLs of a line that is a text with some in it, as they would be found if it was pasted.
    ///
    /// A text begins with a word, or with what wraps its first URL; and URLs with commas between them are one. Behind a URL another word is a mistake, and so it is beside a series, which is written
    /// and not copied, and where the first one is a command that lacks its colon.
    ///
    /// - Returns: `nil` if it is none, or holds something else that was meant as a URL.
    private func urlsOfText(_ characters: [Character]) -> [String]? {
        func isWord(_ word: Word) -> Bool {
            word.meaning == .invalid && word.fault == nil && !word.text.contains("/") && !URLText.namesScheme(word.text)
        }
        let isProse =
            words.count > 1 && isWord(words[0]) && words[0].text.first != "#"
            && CommandTable.definition(of: words[0].text) == nil
        guard isProse || isWrapped || hasCommas else { return nil }
        let isMisspelt = words.contains { word in
            if word.text.contains("://") { return word.fault != nil }
            // Without that it is found in no text.
            return word.fault != nil || word.text.contains("/") || URLText.hasScheme(word.text)
        }
        let hasSeries = words.contains { if case .url(_, 2...) = $0.meaning { true } else { false } }
        guard !isMisspelt, !hasSeries, lists.isEmpty else { return nil }
        let found = URLText.pasted(in: String(characters))
        return found.refused == 0 && !found.urls.isEmpty ? found.urls : nil
    }

    /// What a copied command asks for; `nil` if that is nothing, or something that is meant as a URL and is none.
    private static func urls(of command: CopiedCommand) -> [String]? {
        let found = URLText.pasted(in: command.text)
        return found.refused == 0 && !found.urls.isEmpty ? found.urls : nil
    }

    /// Whether the first word is a URL within quotes or brackets, as texts and mails have them.
    private var isWrapped: Bool {
        guard let text = words.first?.text, let closing = Self.brackets[text.first ?? " "] else { return false }
        // What is closed behind a blank may be one URL that was written with it.
        return text.contains("://") && text.dropFirst().contains(closing)
    }

    /// What opens before a URL, and what closes behind it; a name in square brackets is followed by its URL in round ones.
    private static let brackets: [Character: Character] = ["\"": "\"", "'": "'", "<": ">", "(": ")", "[": ")"]

    /// Whether all words are URLs, and each but the last one ends with a comma, which no URL does.
    private var hasCommas: Bool {
        words.count > 1 && words.allSatisfy { $0.text.contains("://") }
            && words.dropLast().allSatisfy { $0.text.last == "," }
    }

    var isEmpty: Bool { words.isEmpty && command == nil }

    /// How many URLs the line stands for, those in lists not counted.
    var urlCount: Int {
        words.reduce(0) { sum, word in
            if case .url(_, let count) = word.meaning { min(sum + count, 100 * URLSeries.limit) } else { sum }
        }
    }

    var lists: [String] {
        words.compactMap { if case .list(let path) = $0.meaning { path } else { nil } }
    }

    /// The one URL of the line, if it is one and was typed without its scheme.
    var offer: String? {
        guard words.count == 1, words[0].isOffer, case .url(let url, 1) = words[0].meaning else { return nil }
        return url
    }

    /// URLs of those that were typed without a scheme.
    var offeredCount: Int {
        words.reduce(0) { sum, word in
            guard word.isOffer, case .url(_, let count) = word.meaning else { return sum }
            return min(sum + count, 100 * URLSeries.limit)
        }
    }

    /// Why what looks like a series in a query is none; `nil` where none does.
    var seriesNote: String? {
        let isThere = words.contains { word in
            if case .url(let url, _) = word.meaning { URLSeries.groupInQuery(of: url) != nil } else { false }
        }
        return isThere ? "a series counts in the path only" : nil
    }

    var firstInvalid: Word? { words.first { $0.meaning == .invalid } }
    var invalidCount: Int { words.count { $0.meaning == .invalid } }

    /// The word at which the line stands for more URLs than one line may.
    var tooMany: Word? {
        var sum = 0
        return words.first { word in
            if case .url(_, let count) = word.meaning { sum += count }
            return sum > URLSeries.limit
        }
    }

    /// All URLs, series spelled out; at most ``URLSeries/limit``, else none.
    var urls: [String] {
        guard tooMany == nil else { return [] }
        return words.flatMap { word -> [String] in
            if case .url(let url, let count) = word.meaning { count == 1 ? [url] : URLSeries(url).members } else { [] }
        }
    }

    /// What stands between two blanks: one word, or several URLs with a comma or semicolon between them.
    private static func words(_ characters: [Character], at place: Int) -> [Word] {
        let starts = URLText.starts(in: characters)
        return starts.indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1] - 1 : characters.count
            return word(String(characters[starts[index]..<end]), at: place + starts[index])
        }
    }

    private static func word(_ text: String, at start: Int) -> Word {
        if text.first == "@", text.count > 1 {
            return Word(text: text, start: start, meaning: .list(String(text.dropFirst())))
        }
        let isURL = URLText.isURL(text)
        guard let url = isURL ? text : URLText.offer(text) else {
            return Word(text: text, start: start, meaning: .invalid)
        }
        let series = URLSeries(url)
        if let fault = series.fault { return Word(text: text, start: start, meaning: .invalid, fault: fault) }
        return Word(text: text, start: start, meaning: .url(url, count: series.count), isOffer: !isURL)
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
