/// A group of a URL that was meant as a series and is none: `[9-3]`, `[1-3` without its end.
///
/// Brackets that mean something else, as in `photo[1].jpg` or `[2024-11-02]`, are no mistake.
struct WrongSeries: Equatable {
    /// As it was written.
    let text: String
    /// What is wrong with it, and the cure.
    let fault: String

    /// Looks at what begins with a bracket and is no series.
    init?(_ characters: ArraySlice<Character>) {
        let found: (text: String, fault: String)? =
            switch characters.first {
            case "[": Self.range(characters.dropFirst())
            case "{": Self.list(characters.dropFirst())
            default: nil
            }
        guard let found else { return nil }
        (text, fault) = found
    }

    private static func range(_ characters: ArraySlice<Character>) -> (String, String)? {
        let inside = characters.prefix { $0 != "]" && $0 != "[" && $0 != "/" }
        let text = "[" + String(inside)
        guard characters.dropFirst(inside.count).first == "]" else {
            return beginsAsRange(inside) ? (text, "\(text) lacks its ]" + literally("[", "%5B")) : nil
        }
        let halves = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let fault = fault(bounds[0], bounds[1], step: halves.dropFirst().first) else {
            return nil
        }
        return (text + "]", "\(text)]: " + fault + literally("[", "%5B"))
    }

    private static func fault(
        _ first: ArraySlice<Character>,
        _ last: ArraySlice<Character>,
        step: ArraySlice<Character>?
    ) -> String? {
        if first.allSatisfy(isDigit), last.allSatisfy(isDigit), !(first.isEmpty && last.isEmpty) {
            if first.isEmpty || last.isEmpty { return "a series has a first and a last, as [1-40]" }
            guard let low = Int(String(first)), let high = Int(String(last)) else { return "the number is too large" }
            if low > high { return "a series counts up: [\(String(last))-\(String(first))]" }
            return "a step is a number from 1, as [0-90:15]"
        }
        guard first.count == 1, last.count == 1, first.allSatisfy(isLetter), last.allSatisfy(isLetter) else {
            return nil
        }
        if step != nil { return "letters have no step: [\(String(first))-\(String(last))]" }
        if first.first?.isLowercase != last.first?.isLowercase {
            return "letters are all small or all capital, as [a-f]"
        }
        return "a series counts up: [\(String(last))-\(String(first))]"
    }

    private static func list(_ characters: ArraySlice<Character>) -> (String, String)? {
        let inside = characters.prefix { $0 != "}" && $0 != "{" && $0 != "/" }
        let next = characters.dropFirst(inside.count).first
        // One word in braces is what templates of URLs look like.
        guard inside.contains(","), next != "}" else { return nil }
        let text = "{" + String(inside)
        let fault = next == "{" ? "\(text){…: no list stands within another" : "\(text) lacks its }"
        return (text, fault + literally("{", "%7B"))
    }

    private static func literally(_ bracket: String, _ escape: String) -> String {
        "; a \(bracket) that is meant itself is \(escape)"
    }

    /// `1-3` or `a-c`, whatever follows, or nothing but `1-` or `a-`.
    private static func beginsAsRange(_ characters: ArraySlice<Character>) -> Bool {
        let digits = characters.prefix(while: isDigit).count
        if digits > 0 {
            let rest = characters.dropFirst(digits)
            return rest.first == "-" && rest.dropFirst().first.map(isDigit) ?? true
        }
        let head = characters.prefix(4)
        guard let first = head.first, isLetter(first), head.dropFirst().first == "-" else { return false }
        guard let last = head.dropFirst(2).first else { return true }
        return isLetter(last) && head.dropFirst(3).first.map { !isLetter($0) && !isDigit($0) } ?? true
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
    private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
}
