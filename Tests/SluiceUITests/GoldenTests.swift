import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceUI

/// Every screen at every size, compared exactly with what a person approved, and checked by rule.
struct GoldenTests {
    static let sizes = [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)]

    @Test(arguments: sizes) func whole(width: Int, height: Int) throws {
        for (name, scene) in Self.scenes {
            for isPrompt in [false, true] where !isPrompt || name == "empty" {
                var dashboard = scene.dashboard(width, height, prompt: isPrompt)
                try Golden.check(&dashboard, "\(name)\(isPrompt ? "-prompt" : "")", width, height)
            }
        }
    }

    @Test(arguments: sizes) func everyPanelAlone(width: Int, height: Int) throws {
        for panel in Panel.allCases where panel != .preview && panel != .detail {
            for (name, scene) in [
                ("full", TaskDetailTests.inspected), ("failing", .failing), ("wide", .wide), ("empty", .empty),
            ] {
                try Self.check(panel, scene, name, width, height)
            }
            for (name, scene) in [("full", TaskDetailTests.inspected), ("failing", .failing)] {
                try Self.check(panel, scene, "ascii-\(name)", width, height, isASCII: true)
                try Self.check(panel, scene, "mono-\(name)", width, height, depth: .mono)
            }
        }
    }

    private static func check(
        _ panel: Panel,
        _ scene: Scene,
        _ name: String,
        _ width: Int,
        _ height: Int,
        depth: ColorDepth = .palette256,
        isASCII: Bool = false
    ) throws {
        var dashboard = scene.dashboard(width, height, depth: depth, ascii: isASCII)
        let digit = Key.character(Character(String(panel.rawValue)))
        for _ in 0..<(dashboard.state.focus == panel ? 1 : 2) {
            _ = dashboard.handle(.key(digit), now: Scene.now)
        }
        try Golden.check(&dashboard, "\(panel.title)-\(name)", width, height)
    }

    @Test(arguments: sizes) func withoutUnicodeAndWithoutColour(width: Int, height: Int) throws {
        for (name, scene) in Self.scenes {
            var dashboard = scene.dashboard(width, height, depth: .palette256, ascii: true)
            try Golden.check(&dashboard, "ascii-\(name)", width, height)
            dashboard = scene.dashboard(width, height, depth: .mono)
            try Golden.check(&dashboard, "mono-\(name)", width, height)
        }
    }

    @Test(arguments: sizes) func overlaysAndMoments(width: Int, height: Int) throws {
        let moments: [(String, [AppEvent])] = [
            ("help", [.key(.character("?"))]), ("question", [.key(.control("x"))]),
            ("help-search", "?/all".map { .key(.character($0)) }),
            ("help-found", "?/all".map { .key(.character($0)) } + [.key(.enter)]),
            ("quitting", [.key(.character("q"))]),
            ("typing", [.key(.character("a")), .paste("https://img.nasa.example/{iss,hubble}/[001-040].jpg")]),
            ("purge", [.key(.character("3")), .events(Scene.purging, lost: 0)]),
            ("preset-tasks", [.key(.character("\\"))]),
            ("preset-caches", [.key(.character("\\")), .key(.character("\\"))]),
        ]
        for (name, events) in moments {
            var dashboard = Scene.full.dashboard(width, height)
            for event in events { _ = dashboard.handle(event, now: Scene.now) }
            try Golden.check(&dashboard, name, width, height, excuse: name.hasPrefix("help") ? .help : nil)
        }
    }

    @Test func theFactsAreThereDownToTheSmallest() {
        for width in [40, 45, 52, 60, 70, 80, 100, 120, 160, 200] {
            for height in [8, 12, 16, 20, 24, 30, 36, 50] {
                for isASCII in [false, true] {
                    let text = Self.text(.failing, width, height, ascii: isASCII)
                    let size = "\(width)×\(height)"
                    #expect(text.contains("ACTIVE"), "the indicator's word at \(size)")
                    #expect(text.contains("1/4") || text.contains("1 of 4"), "active and limit at \(size)")
                    #expect(text.contains("38"), "queued at \(size)")
                    #expect(text.contains("84.1/100") || text.contains("84.1 of 100"), "used and capacity at \(size)")
                    #expect(text.contains(isASCII ? "-41.2" : "−41.2"), "the last purge at \(size)")
                    let failed = isASCII ? ["x 6", "x6"] : ["✗ 6", "✗6"]
                    #expect(failed.contains { text.contains($0) }, "failed at \(size)")
                }
            }
        }
    }

    /// Also between the sizes that were approved, and while one panel takes all.
    @Test(arguments: Panel.allCases) func theFactsAreThereBesideEveryPanel(panel: Panel) {
        for (width, height) in [
            (40, 8), (43, 9), (52, 14), (60, 16), (74, 19), (80, 24), (100, 28), (131, 33), (180, 44),
        ] {
            for (name, scene) in Self.scenes {
                var dashboard = scene.dashboard(width, height)
                for key in String(repeating: String(panel.rawValue), count: 2) {
                    _ = dashboard.handle(.key(.character(key)), now: Scene.now)
                }
                let frame = dashboard.frame(width: width, height: height, now: Scene.now)
                Golden.expectWhole(frame, width, height)
                Golden.expectFacts(frame, dashboard.state, "\(panel.title) \(name) at \(width)×\(height)")
            }
        }
    }

    @Test func aStormOfSizesLeavesNothingBehind() {
        var random = SeededRandom(seed: 7)
        var dashboard = Scene.wide.dashboard(80, 24)
        for event in [AppEvent.key(.character("2")), .key(.character("j")), .key(.character("a"))] {
            _ = dashboard.handle(event, now: Scene.now)
        }
        for character in "half typed" { _ = dashboard.handle(.key(.character(character)), now: Scene.now) }
        for _ in 0..<200 {
            let width = Int.random(in: 20...250, using: &random)
            let height = Int.random(in: 5...70, using: &random)
            _ = dashboard.handle(.resized(width: width, height: height), now: Scene.now)
            let frame = dashboard.frame(width: width, height: height, now: Scene.now)
            Golden.expectWhole(frame, width, height)
            #expect(dashboard.state.focus == .queued)
            #expect(dashboard.state.queueCursor.position == 2)
            #expect(dashboard.state.prompt.editor.text == "half typed")
        }
        _ = dashboard.handle(.resized(width: 120, height: 36), now: Scene.now)
        let after = dashboard.frame(width: 120, height: 36, now: Scene.now)
        var fresh = Scene.wide.dashboard(120, 36)
        for event in [AppEvent.key(.character("2")), .key(.character("j")), .key(.character("a"))] {
            _ = fresh.handle(event, now: Scene.now)
        }
        for character in "half typed" { _ = fresh.handle(.key(.character(character)), now: Scene.now) }
        #expect(after.canvas == fresh.frame(width: 120, height: 36, now: Scene.now).canvas, "as if never resized")
    }

    @Test func rightToLeftNamesCannotTurnTheRow() {
        let text = Self.text(.wide, 120, 36)
        #expect(text.contains("שלום"))
        for scalar in text.unicodeScalars {
            #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
        }
    }

    private static let scenes: [(String, Scene)] = [
        ("full", .full), ("failing", .failing), ("wide", .wide), ("empty", .empty),
    ]

    private static func text(_ scene: Scene, _ width: Int, _ height: Int, ascii: Bool = false) -> String {
        var dashboard = scene.dashboard(width, height, ascii: ascii)
        return dashboard.frame(width: width, height: height, now: Scene.now).canvas.text
    }
}

extension Scene {
    /// Names that are wide, combining, right to left, long, or try to be something else.
    static let wide: Scene = {
        var scene = full
        let names = [
            "京都の紅葉と金閣寺の夕暮れ.jpg", "שלום-עולם-תמונה.png", "e\u{301}tude\u{308}\u{323}-naïve.webp",
            "👩‍👩‍👧‍👦 family 🇯🇵.gif", "مرحبا.png", String(repeating: "very-long-", count: 30) + "name.jpeg",
            "evil\u{202E}gpj.exe", "tab\there\nand\u{1B}]0;title\u{7}.png",
        ]
        for index in scene.snapshot.active.indices { scene.snapshot.active[index].name = names[index] }
        for index in scene.snapshot.queued.indices { scene.snapshot.queued[index].name = names[index % names.count] }
        for (index, name) in names.enumerated() {
            var end = TaskEnd(
                task: TaskID(800 + index),
                url: "https://例え.example/\(index)",
                outcome: .success,
                receipts: 1
            )
            (end.bytes, end.file) = (48_000 << index, "/tmp/\(name)")
            (end.image, end.key) = (ImageInfo(format: .png, width: 640, height: 480), end.url)
            scene.add(54.5, .taskFinished(end))
        }
        return scene
    }()

    /// A purge half a second ago.
    static let purging: [PipelineEvent] = {
        var scene = Scene()
        scene.purge(61.5, freed: 44_040_192, victims: 17)
        return scene.events
    }()
}
