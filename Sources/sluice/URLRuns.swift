/// Runs of URLs among the words of a command line, each of which the parser gets as two words.
///
/// It takes time that grows with the square of the number of words: with 10,000 URLs 3 s, before anything is asked for.
struct URLRuns {
    /// Fewer words take no time worth a second look.
    private static let least = 256

    /// What the parser reads instead.
    private(set) var words: [String] = []
    private var runs: [[String]] = []

    /// - Parameter arguments: The words behind the command's name.
    init(_ arguments: [String]) {
        guard arguments.count >= Self.least else {
            words = arguments
            return
        }
        var run: [String] = []
        // What follows an option may be its value, which only the parser knows.
        var isBehindOption = false
        for word in arguments {
            if !isBehindOption, !word.hasPrefix("-"), word.contains("://") {
                run.append(word)
            } else {
                end(&run)
                words.append(word)
            }
            isBehindOption = word.hasPrefix("-")
        }
        end(&run)
    }

    /// The URLs that the parser found, with those that it did not see, as they stood on the command line.
    func whole(_ urls: [String]) -> [String] {
        if runs.isEmpty { return urls }
        return urls.flatMap { url in Self.number(url).map { runs[$0] } ?? [url] }
    }

    /// The first URL stays what it is, since a command may judge it, and two stay more than one.
    private mutating func end(_ run: inout [String]) {
        if let first = run.first { words.append(first) }
        if run.count > 1 {
            words.append(Self.name(runs.count))
            runs.append(Array(run.dropFirst()))
        }
        run = []
    }

    /// No word of a command line has a zero in it.
    private static func name(_ number: Int) -> String { "\0\(number)" }

    private static func number(_ word: String) -> Int? { word.first == "\0" ? Int(word.dropFirst()) : nil }
}

/// A command whose words may be thousands of URLs.
protocol URLArguments {
    /// As they stood on the command line.
    var urls: [String] { get set }
}
