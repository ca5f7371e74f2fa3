public import SluiceCore

/// What `sluice get` says on a terminal while it works, in one row.
public struct ProgressLine: Equatable, Sendable {
    /// One figure of the row.
    public struct Fact: Equatable, Sendable {
        /// Safe to print.
        public var text: String
        /// Whether it tells of something that goes wrong, and stands out.
        public var isAlarming = false
    }

    /// From left to right.
    public let facts: [Fact]
    /// What stands between two of them; three columns.
    public let separator: String

    /// - Parameters:
    ///   - snapshot: How it stands.
    ///   - columns: The width of the terminal; the last column stays free, lest the row wraps.
    ///   - isASCII: Whether the terminal shows nothing else.
    public init(_ snapshot: PipelineSnapshot, columns: Int, isASCII: Bool = false) {
        let room = columns - 1
        let counts = snapshot.counts
        let isAlone = counts.requests == 1 && snapshot.active.count == 1
        var facts = isAlone ? Self.facts(of: snapshot.active[0], snapshot) : Self.facts(of: snapshot)
        facts.append(Fact(text: snapshot.rateFigure.text))
        if let left = TimeLeft(of: snapshot, orSize: Self.usualSize(snapshot)) {
            facts.append(Fact(text: "\(left.text) left"))
        }
        if !isAlone { facts.append(Fact(text: Format.bytes(snapshot.received).text)) }
        func used() -> Int { facts.reduce(-3) { $0 + TextWidth.columns(of: $1.text) + 3 } }
        while facts.count > 1, used() - (isAlone ? max(0, TextWidth.columns(of: facts[0].text) - 12) : 0) > room {
            facts.removeLast()
        }
        let rest = used() - TextWidth.columns(of: facts[0].text)
        facts[0].text = Elision.middle(facts[0].text, room - rest)
        if isASCII { for index in facts.indices { facts[index].text = String(facts[index].text.map(Glyphs.ascii)) } }
        self.facts = facts
        separator = isASCII ? " - " : " · "
    }

    private static func facts(of row: PipelineSnapshot.Row, _ snapshot: PipelineSnapshot) -> [Fact] {
        var facts = [Fact(text: VisibleText.visible(row.name, limit: 300))]
        if let expected = row.expected, expected > 0 {
            let share = Int(min(1, Double(row.received) / Double(expected)) * 100)
            facts.append(Fact(text: "\(share)% of \(Format.bytes(expected).text)"))
        } else {
            facts.append(Fact(text: Format.bytes(row.received).text))
        }
        if row.silence(at: snapshot.time) != nil { facts.append(Fact(text: "stalled", isAlarming: true)) }
        return facts
    }

    private static func facts(of snapshot: PipelineSnapshot) -> [Fact] {
        let counts = snapshot.counts
        var facts = [Fact(text: "\(snapshot.active.count) active"), Fact(text: "\(snapshot.queuedCount) queued")]
        if snapshot.waitingCount > 0 { facts.append(Fact(text: "\(snapshot.waitingCount) waiting")) }
        facts.append(Fact(text: "\(counts.succeededForUsers) done"))
        let failed = counts.failedForUsers
        if failed > 0 { facts.append(Fact(text: "\(failed) failed", isAlarming: true)) }
        return facts
    }

    /// The mean of the files that are there, else of the bodies that are announced.
    private static func usualSize(_ snapshot: PipelineSnapshot) -> Double? {
        let counts = snapshot.counts
        return counts.saved > 0
            ? Double(counts.savedBytes) / Double(counts.saved) : BodySizes().mean(orOf: snapshot.active)
    }
}
