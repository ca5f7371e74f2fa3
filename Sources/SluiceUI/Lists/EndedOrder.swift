internal import SluiceCore

/// The order of tasks that ended, where that is not the time.
struct EndedOrder {
    private enum Key: Comparable {
        case text(String)
        case number(Int)
    }

    private let key: (EndedTask) -> Key

    /// Makes none where the newest is first.
    ///
    /// - Parameters:
    ///   - sort: Of the finished list.
    ///   - isReversed: Whether the list turns the order round: what shows no size stands last all the same.
    init?(_ sort: RowSort, isReversed: Bool) {
        switch sort {
        case .name: key = { .text($0.name.lowercased()) }
        case .host: key = { .text(URLText.hostName(of: $0.end.url)) }
        case .size:
            let last = isReversed ? Int.min : .max
            key = { .number($0.shownSize.map { -$0 } ?? last) }
        case .outcome: key = { .text($0.end.outcome.rawValue) }
        case .natural, .progress, .rate: return nil
        }
    }

    func isBefore(_ left: EndedTask, _ right: EndedTask) -> Bool { key(left) < key(right) }

    /// Each key is made once; of equal ones the first stays first.
    func sorted(_ seqs: [Int], _ row: (Int) -> EndedTask) -> [Int] {
        let keyed = seqs.enumerated().map { (key(row($0.element)), $0.offset, $0.element) }
        return keyed.sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0 < $1.0 }.map(\.2)
    }
}
