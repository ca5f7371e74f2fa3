import Foundation
import SluiceCore
import SluiceOrigin
import SluicePictures
import SluiceTestSupport
import Testing

/// Servers that try to steer the terminal: what it shows is compared with what a person approved.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostilePtyTests {
    /// A title, a cleared screen, a colour by one C1 byte, a turned row, a reset, and a bell.
    private static let attack = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{202E}gpj.x\u{1B}c"
    private static let paths = ["refused.txt", "named", "photo.jpg", "evil%1B%5D0;owned%07%C2%9B.txt?q=%E2%80%AE"]
    private let origin: Origin

    init() throws {
        origin = try Origin()
        let attack = Self.attack
        origin.route("/refused.txt") { _, _ in
            OriginResponse(
                418,
                reason: attack,
                headers: [
                    HeaderField("Server", "a\u{9B}31mb\u{202E}c"), HeaderField("ETag", "\"\u{7F}\u{1B}[8m\""),
                    HeaderField("Cache-Control", "no-store, x=\"\u{1B}]52;c;aGk=\u{7}\""),
                ],
                body: .bytes(Array("first line\n\(attack)\n\u{1B}[?1049l\rsecond".utf8))
            )
        }
        origin.route("/named") { _, _ in
            OriginResponse(
                headers: [HeaderField("Content-Disposition", "attachment; filename=\"n\(attack)\u{200B}.txt\"")],
                body: .bytes(Array("x".utf8))
            )
        }
        let pixels = (0..<32 * 16).flatMap { _ in [200, 40, 40, 255] as [UInt8] }
        var image = ImageEncoder.jpeg(Bitmap(width: 32, height: 16, pixels: pixels))
        // A comment behind the start of the image.
        let comment = Array(attack.utf8)
        image.insert(contentsOf: [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment, at: 2)
        origin.route("/photo.jpg") { [image] _, _ in .bytes(image, type: "image/jpeg; x=\"\u{1B}[2J\"") }
        origin.setFallback { _, _ in .text("text") }
    }

    private func start(_ scratch: Scratch) throws -> DashboardScreen {
        let arguments = ["--max-active", "1", "--log", scratch.path("log.txt")]
        let dashboard = try DashboardScreen(
            arguments + Self.paths.map { origin.url("/" + $0) },
            width: 120,
            height: 36,
            in: scratch
        )
        #expect(try dashboard.wait { $0.taskOutcomes.count == Self.paths.count }, "\(dashboard.screen.text)")
        return dashboard
    }

    @Test func whatTheTerminalShowsIsTheGoldenWithVisibleEscapes() throws {
        let scratch = try Scratch()
        let dashboard = try start(scratch)
        #expect(dashboard.leavePrompt())
        dashboard.type("8")
        #expect(dashboard.shows("1 of 4"), "\(dashboard.screen.text)")
        dashboard.type("8")
        #expect(fills(dashboard, "8 finished"), "\(dashboard.screen.text)")
        try Golden.expect(dashboard.screen.rows.dropFirst().dropLast(2), "hostile-finished", replacing: origin.port)
        try expectAtOtherSizes(dashboard, "hostile-finished")

        dashboard.type("4")
        #expect(dashboard.shows("1 active"))
        dashboard.type("4")
        #expect(fills(dashboard, "4 events"), "\(dashboard.screen.text)")
        try Golden.expect(dashboard.screen.rows.dropFirst().dropLast(2), "hostile-events", replacing: origin.port)
        try expectAtOtherSizes(dashboard, "hostile-events")

        dashboard.type("9")
        #expect(dashboard.shows("9 failed") && dashboard.shows("1 active"))
        dashboard.type("\r")
        #expect(fills(dashboard, "refused with this body"), "\(dashboard.screen.text)")
        // The right half tells what the server said; the left one when.
        let answer = dashboard.screen.rows.dropFirst().dropLast(2).map { String($0.dropFirst(76)) }
        try Golden.expect(answer, "hostile-answer", replacing: origin.port)
        #expect(dashboard.screen.rows.contains { $0.contains("error ") && $0.contains("badStatus") })
        // What the server said ends the detail.
        try expectAtOtherSizes(dashboard, "hostile-answer", scrollsToEnd: true) { rows in
            let column = rows.contains { $0.contains("╮╭─ 5 preview") } ? rows.map { String($0.dropFirst(152)) } : rows
            let start = column.firstIndex { $0.contains("response ╌") } ?? 0
            return column[start...].filter { !$0.contains("╰") }
        }
        #expect(dashboard.screen.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
        #expect(dashboard.screen.title == "sluice" && dashboard.screen.bells == 0)
        try dashboard.quit()
    }

    @Test func titleLogAndSummaryHoldNothingElse() throws {
        let scratch = try Scratch()
        let dashboard = try start(scratch)
        try dashboard.quit()
        let summary = dashboard.screen.text
        #expect(summary.contains("1 failed") && summary.contains("418"), "\(summary)")
        expectVisible(summary)
        #expect(!dashboard.screen.title.contains("owned"))
        let log = String(decoding: FileTree.contents(of: scratch.path("log.txt"), from: 0), as: UTF8.self)
        #expect(log.contains("refused.txt") && log.contains("evil"), "\(log)")
        expectVisible(log)
        for name in dashboard.files { expectVisible(name) }
    }

    @Test func plainLinesHoldNothingElse() throws {
        let scratch = try Scratch()
        let program = try ChildProcess(
            Program.path,
            arguments: ["--plain", "--max-active", "1"] + Self.paths.map { origin.url("/" + $0) },
            environment: Program.environment(home: scratch.home).merging(["TERM": "dumb"]) { $1 },
            directory: scratch.downloads
        )
        program.write("http://a/\(Self.attack)\nstatus\n")
        program.closeInput()
        #expect(program.waitForExit().exit != nil)
        let text = program.outputText
        #expect(text.contains("418") && text.contains("^[]0;owned^G"), "\(text)")
        #expect(text.contains("photo.jpg"))
        expectVisible(text)
    }

    /// The same screen in a small, a usual and a large window, and back.
    ///
    /// - Parameters:
    ///   - dashboard: Where it is shown.
    ///   - name: Of the goldens.
    ///   - scrollsToEnd: Whether its last lines are looked at.
    ///   - part: What of the rows differs in nothing from run to run.
    /// - Throws: If a golden can't be read.
    private func expectAtOtherSizes(
        _ dashboard: DashboardScreen,
        _ name: String,
        scrollsToEnd: Bool = false,
        part: ([String]) -> [String] = { $0 }
    ) throws {
        for (width, height) in [(40, 8), (80, 24), (200, 50), (120, 36)] {
            let clearings = dashboard.screen.clearings
            dashboard.terminal.resize(width: width, height: height)
            let isDrawn = dashboard.terminal.wait { $0.clearings > clearings && !$0.modes.contains(2_026) }
            #expect(isDrawn, "\(dashboard.screen.text)")
            #expect(dashboard.screen.text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isHazardous })
            guard width != 120 else { continue }
            if scrollsToEnd {
                dashboard.type("G")
                let isAtEnd = dashboard.terminal.wait { screen in
                    !screen.modes.contains(2_026) && screen.text.contains(/–([0-9]+) of \1\b/)
                }
                #expect(isAtEnd, "\(dashboard.screen.text)")
            }
            let rows = part(dashboard.screen.rows.dropFirst().dropLast(2))
            try Golden.expect(rows, "\(name)-\(width)x\(height)", replacing: origin.port)
        }
    }

    /// Waits until one panel has the whole screen, and the frame is complete.
    private func fills(_ dashboard: DashboardScreen, _ text: String) -> Bool {
        dashboard.terminal.wait { screen in
            !screen.modes.contains(2_026) && screen.text.contains(text) && !screen.text.contains("6 network")
        }
    }

    private func expectVisible(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        let bad = text.unicodeScalars.filter { $0 != "\n" && $0.isHazardous }
        #expect(bad.isEmpty && !text.isEmpty, "\(text.debugDescription)", sourceLocation: location)
    }
}
