import SluiceCore
import Testing

@testable import SluiceUI

/// The prompt and what asks in its place at every size, as a person approved them; see ``GoldenTests``.
struct PromptGoldenTests {
    private static let series = "https://img.nasa.example/{iss,hubble}/[001-040].jpg"

    @Test(arguments: GoldenTests.sizes) func moments(width: Int, height: Int) throws {
        for (name, events) in Self.moments {
            var driver = Driver(.full, width, height)
            for event in events { _ = driver.send(event) }
            try Golden.check(&driver.dashboard, "prompt-\(name)", width, height)
        }
    }

    @Test(arguments: GoldenTests.sizes) func mergingURLsAreCounted(width: Int, height: Int) throws {
        var driver = Driver(.full, width, height)
        _ = driver.press("a")
        _ = driver.send(.paste(Self.series))
        _ = driver.press(" oops")
        let probe = try #require(driver.lastProbe)
        var snapshot = Scene.full.snapshot
        var answer = URLProbe.Answer(serial: probe.serial)
        (answer.merging, answer.invalid, answer.checked) = (3, 1, 81)
        snapshot.probe = answer
        _ = driver.send(.snapshot(snapshot))
        try Golden.check(&driver.dashboard, "prompt-merging", width, height)
    }

    /// Every count at every width, also where only signs are left of the words.
    @Test(arguments: [40, 45, 50, 60, 70, 80, 120, 200]) func countsStandAtEveryWidth(width: Int) throws {
        for height in [8, 16, 24, 50] {
            var driver = Driver(.full, width, height)
            _ = driver.press("a")
            _ = driver.send(.paste(Self.series))
            _ = driver.press(" oops")
            let text = driver.text
            #expect(text.contains("80 URLs"), "\(width)×\(height):\n\(text)")
            #expect(text.contains("1 invalid") || text.contains("!1"), "\(width)×\(height):\n\(text)")
        }
    }

    /// No question without its answers, and none with them twice.
    @Test(arguments: [40, 45, 50, 60, 70, 80, 120, 200]) func everyQuestionNamesItsAnswers(width: Int) {
        for height in [8, 16, 24, 50] {
            var driver = Driver(.full, width, height)
            _ = driver.send(.key(.control("x")))
            let text = driver.text
            #expect(text.contains("abort all 43 tasks?") && text.ranges(of: "y yes  n no").count == 1, "\(text)")
        }
    }

    @Test(arguments: GoldenTests.sizes) func withoutUnicodeAndWithoutColour(width: Int, height: Int) throws {
        let moments: [(String, [AppEvent])] = [
            ("help", [.key(.character("?"))]), ("question", [.key(.control("x"))]),
            ("typing", [.key(.character("a")), .paste(Self.series)]),
        ]
        for (name, events) in moments {
            for (look, depth, isASCII) in [("ascii", ColorDepth.palette256, true), ("mono", .mono, false)] {
                var dashboard = Scene.full.dashboard(width, height, depth: depth, ascii: isASCII)
                for event in events { _ = dashboard.handle(event, now: Scene.now) }
                try Golden.check(&dashboard, "\(look)-\(name)", width, height, excuse: name == "help" ? .help : nil)
            }
        }
    }

    private static let moments: [(String, [AppEvent])] = [
        ("error", typed("ahttps://a.example/x http://[::1 @x.txt") + [.key(.enter)]),
        ("completions", typed("a:set c") + [.key(.tab)]),
        ("completing", typed("a:set c") + [.key(.tab), .key(.tab), .key(.tab)]),
        ("search", typed("ahttps://a.example/1") + [.key(.enter), .key(.control("r"))] + typed("exam")),
        ("search-failing", typed("ahttps://a.example/1") + [.key(.enter), .key(.control("r"))] + typed("nope")),
        ("paste", [.paste((1...10_000).map { "https://a.example/\($0).jpg" }.joined(separator: "\n"))]),
        ("command", typed("a:set maxActive ")), ("offer", typed("aimg.nasa.example/x.jpg")),
        ("wide", typed("ahttps://例え.example/京都の紅葉と金閣寺の夕暮れ.jpg")),
        ("rtl", typed("ahttps://a.example/שלום-עולם-תמונה.png")),
        ("filter", typed("2/png")), ("sort", typed("8s")), ("quitting", typed("a") + [.key(.control("c"))]),
    ]

    private static func typed(_ text: String) -> [AppEvent] { text.map { .key(.character($0)) } }
}
