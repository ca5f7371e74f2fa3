internal import SluiceCore

/// What tells rows apart that show the same name: as much of host, folders and query as differs between them.
///
/// Made of the rows in sight only. Where no name stands twice, it costs one look at each.
struct NamePlaces {
    /// Columns of the name that stay beside a place.
    private static let leastName = 8
    /// Columns of a place below which it tells nothing, where it is longer.
    private static let leastPlace = 5
    /// What is longer, as content in a URL may be, is not looked through for every frame.
    private static let longestURL = 2_000

    /// By the row's number in sight; sanitised.
    private var places: [Int: String] = [:]

    /// Of no rows.
    init() {}

    /// - Parameters:
    ///   - rows: Names and URLs in the order of the rows, both empty where a line is no row.
    ///   - hostColumns: As many as a column of hosts has, which tells apart those that look different there.
    init(_ rows: [(name: String, url: String)], hostColumns: Int?) {
        var first: [String: Int] = [:]
        var twins: [String: [Int]] = [:]
        for (index, row) in rows.enumerated() where !row.url.isEmpty {
            guard let earlier = first[row.name] else {
                first[row.name] = index
                continue
            }
            twins[row.name, default: [earlier]].append(index)
        }
        for same in twins.values {
            let short = same.filter { index in
                let url = rows[index].url
                return url.utf8.count <= Self.longestURL && !url.hasPrefix("data:")
            }
            let hosts = Dictionary(grouping: short) { index in
                hostColumns.map { Self.shownHost(URLText.hostName(of: rows[index].url), columns: $0) } ?? ""
            }
            for group in hosts.values { tellApart(group, group.map { rows[$0].url }) }
        }
    }

    /// A host as its column shows it.
    static func shownHost(_ host: String, columns: Int) -> String {
        Elision.middle(VisibleText.visible(host, limit: 100), columns)
    }

    private mutating func tellApart(_ indices: [Int], _ urls: [String]) {
        let count = Set(urls).count
        guard count > 1 else { return }
        let folders = urls.map { URLText.folders(of: $0) }
        let least = folders.map(\.count).min() ?? 0
        // What they have in common before and behind what differs is left out.
        let head = (0..<least).first { level in folders.contains { $0[level] != folders[0][level] } } ?? least
        let ends = folders.map { Array($0.dropFirst(head).reversed()) }
        let tail = (0..<(least - head)).first { level in ends.contains { $0[level] != ends[0][level] } } ?? least - head
        var texts = folders.map { parts -> String in
            let middle = parts.dropFirst(head).dropLast(tail)
            return middle.joined(separator: "/") + (tail > 0 && !middle.isEmpty ? "/…/" : "/")
        }
        let different = Set(texts).count
        if different < count {
            // One place, and what is asked for there differs, or how.
            texts = zip(texts, urls).map { (different > 1 ? $0 : "") + URLText.query(of: $1) }
            if Set(texts).count == 1 { texts = urls.map { url in String(url.prefix { $0 != ":" }) + ":" } }
        }
        // Equal ones tell nothing.
        guard Set(texts).count > 1 else { return }
        for (index, text) in zip(indices, Self.shortened(texts)) where !text.isEmpty {
            places[index] = VisibleText.visible(text, limit: 200)
        }
    }

    /// Bytes of a text that is left as it is.
    private static let longestWhole = 12

    /// Without what all of them begin and end with, where they are long: only what differs must not be cut off.
    private static func shortened(_ texts: [String]) -> [String] {
        guard Set(texts).count > 1, texts.contains(where: { $0.utf8.count > longestWhole }) else { return texts }
        let lines = texts.map { Array($0.utf8) }
        let least = lines.map(\.count).min() ?? 0
        var head = (0..<least).first { place in lines.contains { $0[place] != lines[0][place] } } ?? least
        var tail =
            (0..<(least - head)).first { place in
                lines.contains { $0[$0.count - 1 - place] != lines[0][lines[0].count - 1 - place] }
            } ?? least - head
        // Words stay whole, and so do characters.
        while head > 0, !isBoundary(lines[0][head - 1]) { head -= 1 }
        while tail > 0, !isBoundary(lines[0][lines[0].count - tail]) { tail -= 1 }
        // A sign for less saves nothing.
        (head, tail) = (head > 2 ? head : 0, tail > 2 ? tail : 0)
        return lines.map { line in
            let middle = String(decoding: line[head..<(line.count - tail)], as: UTF8.self)
            return (head > 0 ? "…" : "") + middle + (tail > 0 ? "…" : "")
        }
    }

    private static func isBoundary(_ byte: UInt8) -> Bool { "/?&-_. ".utf8.contains(byte) }

    /// A name with its place behind it, in full.
    func whole(_ name: String, at index: Int) -> String { places[index].map { "\(name) \($0)" } ?? name }

    /// A name and its place in so many columns; an equal name says less than the place, and gives way first.
    ///
    /// - Parameters:
    ///   - name: Sanitised.
    ///   - index: The number of its row.
    ///   - room: Columns that both may take.
    ///   - style: How the name is written.
    /// - Returns: The name alone where no other row has it, or there is no room.
    func text(_ name: String, at index: Int, room: Int, _ style: (String) -> StyledText) -> StyledText {
        guard let place = places[index] else { return style(Elision.middle(name, room)) }
        let left = room - 1 - min(TextWidth.columns(of: name), Self.leastName)
        guard left >= min(TextWidth.columns(of: place), Self.leastPlace) else {
            return style(Elision.middle(name, room))
        }
        let shown = Elision.middle(place, left)
        return style(Elision.middle(name, room - 1 - TextWidth.columns(of: shown))) + .dim(" \(shown)")
    }
}
