internal import SluiceCore

/// What the rows of a list can be sorted by.
enum RowSort: String, CaseIterable, Sendable {
    /// As they come: by state, by position, or the newest first.
    case natural
    case name
    case host
    case size
    case progress
    case rate
    case outcome

    /// The key of the menu.
    var key: Character {
        switch self {
        case .natural: "t"
        case .name: "n"
        case .host: "h"
        case .size: "s"
        case .progress: "p"
        case .rate: "r"
        case .outcome: "o"
        }
    }

    var title: String { self == .natural ? "time" : rawValue }

    /// `smallest first`: what stands above.
    func first(in panel: Panel, isReversed: Bool) -> String {
        let words: (String, String) =
            switch self {
            // What runs stands as it started, what ended the other way round.
            case .natural: panel == .active ? ("oldest", "newest") : ("newest", "oldest")
            case .name, .host: ("A", "Z")
            case .size: ("largest", "smallest")
            case .progress: ("furthest", "least done")
            case .rate: ("fastest", "slowest")
            case .outcome: ("cancelled", "done")
            }
        return (isReversed ? words.1 : words.0) + " first"
    }

    /// Those that make sense for a panel; none if its rows have an order that must not be hidden.
    static func choices(for panel: Panel) -> [RowSort] {
        switch panel {
        case .active: [.natural, .name, .host, .size, .progress, .rate]
        case .finished: [.natural, .name, .host, .size, .outcome]
        default: []
        }
    }
}

extension RowSort {
    /// Larger, faster and further first; names in their order.
    func isBefore(_ left: PipelineSnapshot.Row, _ right: PipelineSnapshot.Row) -> Bool {
        switch self {
        case .natural, .outcome: false
        case .name: left.name.lowercased() < right.name.lowercased()
        case .host: left.host < right.host
        case .size: (left.expected ?? left.received) > (right.expected ?? right.received)
        case .progress: Self.share(left) > Self.share(right)
        case .rate: left.shownRate > right.shownRate
        }
    }

    private static func share(_ row: PipelineSnapshot.Row) -> Double {
        row.expected.map { $0 > 0 ? Double(row.received) / Double($0) : 1 } ?? 0
    }
}
