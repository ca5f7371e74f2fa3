import SluiceCore
import Testing

@testable import SluiceUI

/// The detail of tasks of every kind at every size, as a person approved them; see ``GoldenTests``.
struct DetailGoldenTests {
    @Test(arguments: GoldenTests.sizes) func ofWhatRuns(width: Int, height: Int) throws {
        let looks: [(String, ColorDepth, Bool)] = [
            ("", .palette256, false), ("ascii-", .palette256, true), ("mono-", .mono, false),
        ]
        for (look, depth, isASCII) in looks {
            var dashboard = TaskDetailTests.inspected.dashboard(width, height, depth: depth, ascii: isASCII)
            _ = dashboard.handle(.key(.character("7")), now: Scene.now)
            try Golden.check(&dashboard, "detail-\(look)full", width, height)
        }
        for (name, index) in [("wide", 0), ("rtl", 1)] {
            var dashboard = Self.named(index).dashboard(width, height)
            _ = dashboard.handle(.key(.character("7")), now: Scene.now)
            try Golden.check(&dashboard, "detail-\(name)", width, height)
        }
        var compared = TaskDetailTests.compared.dashboard(width, height)
        _ = compared.handle(.key(.character("7")), now: Scene.now)
        try Golden.check(&compared, "detail-compared", width, height)
        var saved = TaskDetailTests.compared.dashboard(width, height)
        for key in [Key.character("8"), .enter, .character("7")] { _ = saved.handle(.key(key), now: Scene.now) }
        try Golden.check(&saved, "detail-saved", width, height)
        var dashboard = Scene.empty.dashboard(width, height)
        _ = dashboard.handle(.key(.character("7")), now: Scene.now)
        try Golden.check(&dashboard, "detail-empty", width, height)
    }

    /// A row that waits for its next attempt, and rows of the other lists.
    @Test(arguments: GoldenTests.sizes) func ofWhatWaitsOrEnded(width: Int, height: Int) throws {
        let moments: [(String, [Key])] = [
            ("waiting", [.character("j"), .enter]), ("queued", [.character("2"), .enter]),
            ("finished", [.character("8"), .enter]), ("failing", [.character("8"), .character("j"), .enter]),
        ]
        for (name, keys) in moments {
            var scene = Scene.failing
            if name == "queued" { scene.inspect(scene.snapshot.queued[0]) }
            var dashboard = scene.dashboard(width, height)
            for key in keys { _ = dashboard.handle(.key(key), now: Scene.now) }
            try Golden.check(&dashboard, "detail-\(name)", width, height)
        }
    }

    /// The inspected task with a name that is not Latin.
    private static func named(_ index: Int) -> Scene {
        var scene = TaskDetailTests.inspected
        let name = Scene.wide.snapshot.active[index].name
        scene.snapshot.active[0].name = name
        scene.snapshot.active[0].url = "https://例え.example/\(name)"
        // Of the first task, which has another name there.
        scene.events.removeAll { if case .taskResponse(TaskID(1), _, _) = $0.kind { true } else { false } }
        scene.inspect(scene.snapshot.active[0])
        return scene
    }
}

extension Scene {
    /// What the pipeline tells of a row as it is now; what it told of another stays with that.
    fileprivate mutating func inspect(_ row: PipelineSnapshot.Row) {
        var head = snapshot.inspected?.head
        head?.finalURL = row.url
        snapshot.inspected = TaskFacts(row, key: row.url, claims: [], policy: .protocol)
        snapshot.inspected?.head = head
    }
}
