import SluiceCore
import Testing

@testable import SluiceUI

/// The facts that no picture may lack, whatever else it shows.
extension Golden {
    /// Why a picture may lack facts; nothing else excuses one.
    enum Excuse {
        /// The help lies over all but the prompt, for as long as it is read.
        case help
    }

    /// The picture of this moment: as it was approved, whole, with the facts, and in no other signs and colours than
    /// the terminal has.
    static func check(
        _ dashboard: inout Dashboard,
        _ name: String,
        _ width: Int,
        _ height: Int,
        now: Timestamp = Scene.now,
        excuse: Excuse? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let frame = dashboard.frame(width: width, height: height, now: now)
        let name = "\(name)-\(width)x\(height)"
        expectWhole(frame, width, height, location)
        expectMeans(frame, dashboard.state.configuration, name, location)
        if excuse == nil { expectFacts(frame, dashboard.state, name, location) }
        try expect(frame, name, location)
    }

    static func expectFacts(
        _ frame: Frame,
        _ state: AppState,
        _ name: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let text = frame.canvas.text
        for (fact, spellings) in facts(state) {
            let known = state.configuration.isASCII ? spellings.map(ascii) : spellings
            if !known.contains(where: text.contains) {
                Issue.record("\(name) lacks \(fact), \(known[0]):\n\(text)", sourceLocation: location)
            }
        }
    }

    /// Each with the ways to write it.
    ///
    /// What is zero needs no mention: nothing queued, failed or purged yet.
    private static func facts(_ state: AppState) -> [(String, [String])] {
        let snapshot = state.snapshot
        let word =
            switch snapshot.indicator.state {
            case .notActive: "idle"
            case .delayingStart: "starting"
            case .active: "ACTIVE"
            case .delayingEnd: "ending"
            }
        let (active, limit) = (snapshot.active.count, snapshot.settings.maxActive)
        let used = Format.number(snapshot.memory.usage, likeLimit: snapshot.memory.capacity)
        let capacity = Format.limit(snapshot.memory.capacity).number
        var facts = [
            ("the indicator's word", [word]),
            ("active and limit", ["\(active)/\(limit)", "\(active) of \(limit) slots"]),
            ("used and capacity", ["\(used)/\(capacity)", "\(used) of \(capacity)"]),
        ]
        let (queued, failed) = (snapshot.queuedCount, state.failedRows.count)
        if queued > 0 { facts.append(("queued", ["\(queued) q", "\(queued)q"])) }
        if failed > 0 { facts.append(("failed", ["✗ \(failed)", "✗\(failed)"])) }
        if let purge = state.news.ledger.entries.first?.purge {
            facts.append(("the last purge", ["−" + Format.bytes(purge.freed).number]))
        }
        return facts
    }

    private static func ascii(_ text: String) -> String { text.replacing("−", with: "-").replacing("✗", with: "x") }

    /// ASCII where the terminal has nothing else, and no colour where none is wanted.
    private static func expectMeans(
        _ frame: Frame,
        _ configuration: DashboardConfiguration,
        _ name: String,
        _ location: SourceLocation
    ) {
        let cells = frame.canvas.cells
        if configuration.isASCII, !cells.allSatisfy({ $0.character?.isASCII ?? false }) {
            Issue.record("\(name) is not all ASCII", sourceLocation: location)
        }
        if configuration.colorDepth == .mono,
            !cells.allSatisfy({ $0.style.foreground == -1 && $0.style.background == -1 })
        {
            Issue.record("\(name) has colours", sourceLocation: location)
        }
    }
}
