internal import SluiceCore

/// The prompt: its line, its history, and what is wrong with the line.
struct PromptState: Sendable {
    /// Why Enter did not take the line, and where.
    struct Problem: Equatable, Sendable {
        let message: String
        /// The same where there is no room for all of it.
        var brief: String?
        /// The cluster to blame; the message stands under it.
        var place = 0
    }

    /// What the key for a limit was pressed on: should its row go while the number is typed, no other gets the limit.
    struct Limited: Equatable, Sendable {
        /// `nil` where more than one row was selected.
        let task: TaskID?
        let name: String
    }

    /// A look back through the history.
    struct Search: Equatable, Sendable {
        var query = ""
        /// Index of the line that is shown; `nil` while none was found.
        var place: Int?
        /// What stood in the line before.
        let draft: String
    }

    /// A folder that is being read for a completion.
    struct AwaitedFolder: Equatable, Sendable {
        let path: String
        let prefix: String
        let range: Range<Int>
    }

    var editor = LineEditor()
    /// Why the rest of a paste or of a copied command is not taken; that of a paste until the next key.
    var refusal: String?
    var history: PromptHistory
    /// Gone with the next key.
    var problem: Problem?
    var completion: Completion?
    var awaitedFolder: AwaitedFolder?
    var search: Search?
    /// Number of the last question which URLs would merge; 0 while none is awaited.
    var probe = 0
    var lastProbe = 0
    /// Number of the first question about the same requests: its answer stands until a later one is there.
    var firstProbe = 0
    /// When it was asked again last, because tasks ended.
    var probedAt = Timestamp(nanoseconds: 0)
    /// Whether tasks ended since the last question, which the URLs may have joined then.
    var isProbeStale = false
    /// What was asked about last.
    var probedText = ""
    /// What is known of the lists that the line names.
    var listLooks: [String: ListLook] = [:]
    /// The list that is looked into: one at a time, since a slow disk must not be asked with every key.
    var awaitedLook: String?
    /// Lists that are read to fill the caches only.
    var prefetching: Set<String> = []
    /// Lists that a command named, which comes back if one can't be read.
    var importing: Set<String> = []
    /// The task whose URL the line began with.
    var subject: TaskID?
    /// Set while the line is the command that a key began for a task.
    var limited: Limited?
    /// Whether a command brings back the lists that it was called from.
    var returnsToLists = false
    /// Whether it was said how to quit to who ended the input.
    var hasToldWayOut = false

    init(history: PromptHistory) { self.history = history }

    /// Ends what goes on beside the line and holds for no other: words to choose from, a folder, a search.
    mutating func endAsides() { (completion, awaitedFolder, search) = (nil, nil, nil) }

    /// Whether the line that stands there is not one that was searched for: no line so far has the text.
    var isSearchLost: Bool {
        guard let search, !search.query.isEmpty else { return false }
        guard let place = search.place, history.lines.indices.contains(place) else { return true }
        return !history.lines[place].lowercased().contains(search.query.lowercased())
    }

    /// The index of the line before the one found that has the text too, and the line.
    var olderMatch: (index: Int, line: String)? {
        search.flatMap { history.last(containing: $0.query, upTo: ($0.place ?? .max) - 1) }
    }

    /// Whether what is typed next is the name of a file: behind `@`, or behind a command that reads one.
    var namesFile: Bool {
        let line = editor.text.drop(while: \.isWhitespace)
        guard line.first == ":" else { return line.first == "@" }
        let name = line.dropFirst().drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        return CommandTable.definition(of: name)?.argument == .file
    }

    /// Whether the line is a command.
    var isCommand: Bool { editor.characters.first { !$0.isWhitespace } == ":" }
}
