/// A table while its document is read: whether more may be added depends on how it came about.
///
/// Used by ``TOMLDocument`` only, and confined to one reading.
final class TOMLBuilder {
    enum Kind {
        /// Stands above a table that was named; may be named itself once.
        case implied
        /// Was named in brackets.
        case named
        /// Came from a dotted key; only dotted keys of the same section add to it.
        case dotted
        /// Was written in braces; closed.
        case inline
    }

    enum Item {
        case value(TOMLNode)
        case table(TOMLBuilder)
        /// Tables named in double brackets.
        case tables([TOMLBuilder])
    }

    struct Entry {
        let key: String
        var item: Item
        let line: Int
    }

    var kind: Kind
    let line: Int
    /// The section whose dotted keys made it.
    let section: Int
    private(set) var entries: [Entry] = []
    private var places: [String: Int] = [:]

    init(_ kind: Kind, line: Int, section: Int = 0) { (self.kind, self.line, self.section) = (kind, line, section) }

    subscript(key: String) -> Entry? { places[key].map { entries[$0] } }

    func add(_ key: String, _ item: Item, line: Int) {
        places[key] = entries.count
        entries.append(Entry(key: key, item: item, line: line))
    }

    /// Adds one more to the tables of a key.
    func append(_ table: TOMLBuilder, to key: String) {
        guard let place = places[key], case .tables(let tables) = entries[place].item else { return }
        entries[place].item = .tables(tables + [table])
    }

    var table: TOMLTable {
        TOMLTable(
            entries: entries.map { entry in
                let node: TOMLNode =
                    switch entry.item {
                    case .value(let node): node
                    case .table(let builder): TOMLNode(.table(builder.table), line: builder.line)
                    case .tables(let builders):
                        TOMLNode(
                            .array(builders.map { TOMLNode(.table($0.table), line: $0.line) }),
                            line: entry.line
                        )
                    }
                return TOMLTable.Entry(key: entry.key, node: node, line: entry.line)
            }
        )
    }
}
