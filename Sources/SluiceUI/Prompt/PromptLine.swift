/// What a typed line means: URLs, lists to read, offers, and what is none of it.
struct PromptLine: Equatable {
    /// In order, series spelled out.
    var urls: [String] = []
    /// Paths of list files, from `@path`.
    var lists: [String] = []
    /// Those of ``urls`` that were typed without a scheme, with it.
    var offers: [String] = []
    /// Words that are nothing of this, as typed.
    var invalid: [String] = []
    /// A series that is too long to spell out.
    var tooLong: String?

    var isEmpty: Bool { urls.isEmpty && lists.isEmpty && invalid.isEmpty && tooLong == nil }

    init(_ text: String) {
        let text = text.drop(while: \.isWhitespace)
        if text.first == "@" {
            let path = String(text.dropFirst()).trimmed
            if !path.isEmpty { lists.append(path) }
            return
        }
        for word in text.split(whereSeparator: \.isWhitespace) { take(String(word)) }
    }

    private mutating func take(_ word: String) {
        if word.first == "@", word.count > 1 {
            lists.append(String(word.dropFirst()))
        } else if URLText.isURL(word) {
            spell(word)
        } else if let offer = URLText.offer(word) {
            offers.append(offer)
            spell(offer)
        } else {
            invalid.append(word)
        }
    }

    private mutating func spell(_ url: String) {
        if let members = URLSeries.expand(url) { urls += members } else { tooLong = url }
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
