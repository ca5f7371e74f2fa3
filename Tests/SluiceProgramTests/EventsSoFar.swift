import SluiceCore
import Testing

/// The events that a run wrote so far.
struct EventsSoFar {
    private let events: [JSONValue]

    init(_ run: GetRun) throws {
        _ = try run.wait(within: .seconds(1)) { !$0.isEmpty }
        events = run.events
    }

    func named(_ name: String) -> [JSONValue] { events.named(name) }
}
