/// A configuration file: its entries with their lines, and errors that name the file and the line.
///
/// It knows which keys there are only by what its readers ask for. Each reader takes a section and
/// refuses what it does not know with ``unknown(_:allowed:)``, so that no misspelt key is silent.
public struct ConfigurationFile: Sendable {
    /// One key with its value, as readers of sections go through them.
    public typealias Entry = TOMLTable.Entry

    /// As it was named, for messages.
    public let path: String
    private let root: TOMLTable

    /// - Parameters:
    ///   - path: For messages.
    ///   - bytes: The whole file.
    /// - Throws: For the first thing that is no TOML.
    public init(path: String, bytes: [UInt8]) throws(ConfigurationError) {
        self.path = path
        do throws(TOMLError) {
            root = try TOMLDocument(bytes).root
        } catch {
            throw ConfigurationError(path: path, line: error.line, error.message)
        }
    }

    /// All entries that stand in no section, and the sections themselves.
    public var entries: [Entry] { root.entries }

    /// The entries of a section such as `[keys]`.
    ///
    /// - Parameter name: Of the section; dots lead into sections within, as in `[themes.dark]`.
    /// - Returns: In the order of the file; none if there is no such section.
    /// - Throws: If the name stands for a value instead.
    public func table(_ name: String) throws(ConfigurationError) -> [Entry] {
        var table = root
        for part in name.split(separator: ".") {
            guard let entry = table.entries.first(where: { $0.key == part }) else { return [] }
            guard let inner = entry.node.table else {
                throw error(entry.line, "\(part) is a section, [\(name)], not \(entry.node.phrase)")
            }
            table = inner
        }
        return table.entries
    }

    /// The entries of each of the sections of one name, such as `[[headers]]`.
    ///
    /// - Returns: In the order of the file, each with the line of its header; none if there are no such sections.
    /// - Throws: If the name stands for something else.
    public func tables(_ name: String) throws(ConfigurationError) -> [(line: Int, entries: [Entry])] {
        guard let entry = root.entries.first(where: { $0.key == name }) else { return [] }
        var found: [(line: Int, entries: [Entry])] = []
        for node in entry.node.array ?? [entry.node] {
            guard entry.node.array != nil, let table = node.table else {
                throw error(node.line, "\(name) is a list of sections, [[\(name)]], not \(node.phrase)")
            }
            found.append((node.line, table.entries))
        }
        return found
    }

    /// What is wrong at a line, as an error that names the file.
    public func error(_ line: Int, _ message: String) -> ConfigurationError {
        ConfigurationError(path: path, line: line, message)
    }

    /// The error for a key that nobody knows; offers what was probably meant, else all that is allowed.
    public func unknown(_ entry: Entry, allowed: [String]) -> ConfigurationError {
        let near = EditDistance.nearest(to: entry.key.filter { $0 != "-" && $0 != "_" }, among: allowed)
        let list = "allowed are \(allowed.joined(separator: " "))"
        let offer = EditDistance.offer(near).map { "\($0) \(list)" } ?? list
        return error(entry.line, "there is no key \(entry.key.withVisibleControls); \(offer)")
    }

    /// The error for a value that its key does not take.
    ///
    /// - Parameters:
    ///   - entry: With the value.
    ///   - allowed: What the key takes, for a sentence.
    ///   - isSecret: Whether a text may be a secret, which is not repeated then.
    /// - Returns: With the line of the value.
    public func bad(_ entry: Entry, allowed: String, isSecret: Bool = false) -> ConfigurationError {
        let found = isSecret && entry.node.string != nil ? "this text" : entry.node.phrase
        return error(entry.node.line, "\(entry.key.withVisibleControls) can be \(allowed), not \(found)")
    }
}
