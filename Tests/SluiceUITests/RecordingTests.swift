import SluiceCore
import Testing

@testable import SluiceUI

/// Draws the pictures that people compare with the looks, where ``ANSIRecorder`` is asked to keep them; each shows what it
/// is a picture of.
struct RecordingTests {
    private static let scenes: [(name: String, scene: Scene, words: [String])] = [
        ("empty", .empty, ["○ idle", "[Pp]aste"]),
        ("full", .full, ["⠋ ACTIVE 4/4", "↓ ?11.0", "dunes-4096.jpg", "82 %"]),
        ("failing", .failing, ["⠋ ACTIVE 1/4", "waiting 4:41", "✗ ?6"]),
    ]

    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)])
    func everyScreenCanBeRecorded(width: Int, height: Int) throws {
        for (name, scene, words) in Self.scenes {
            var dashboard = scene.dashboard(width, height, prompt: name == "empty")
            try record(&dashboard, (width, height), as: "\(name)-\(width)x\(height)", words)
        }
    }

    @Test func specialScreensCanBeRecorded() throws {
        try record("purge", ["♺", "−42.0 MiB|17 gone"]) { dashboard in
            var scene = Scene()
            scene.purge(61.5, freed: 44_040_192, victims: 17)
            _ = dashboard.handle(.key(.character("3")), now: Scene.now)
            _ = dashboard.handle(.events(scene.events, lost: 0), now: Scene.now)
        }
        try record("help", ["help"]) { _ = $0.handle(.key(.character("?")), now: Scene.now) }
        try record("queue", ["queue"]) { dashboard in
            for key in [Key.character("2"), .character("j"), .character("j")] {
                _ = dashboard.handle(.key(key), now: Scene.now)
            }
        }
        try record("prompt", ["add ›", "80 "]) { dashboard in
            _ = dashboard.handle(.key(.character("a")), now: Scene.now)
            _ = dashboard.handle(.paste("https://img.nasa.example/{iss,hubble}/[001-040].jpg"), now: Scene.now)
        }
    }

    @Test(arguments: ColorDepth.allCases)
    func everyColourDepthCanBeRecorded(depth: ColorDepth) throws {
        for isASCII in [false, true] {
            var dashboard = Scene.failing.dashboard(80, 24, depth: depth, ascii: isASCII)
            let name = "\(depth)\(isASCII ? "ascii" : "")-80x24"
            let frame = try record(&dashboard, (80, 24), as: name, ["ACTIVE 1/4", "waiting 4:41"])
            let isPlain = (0..<24).allSatisfy { row in frame.canvas.row(row).allSatisfy(\.isASCII) }
            if isASCII { #expect(isPlain) }
        }
    }

    private func record(_ name: String, _ words: [String], _ act: (inout Dashboard) -> Void) throws {
        for (width, height) in [(80, 24), (120, 36), (60, 16), (40, 8)] {
            var dashboard = Scene.full.dashboard(width, height)
            act(&dashboard)
            try record(&dashboard, (width, height), as: "\(name)-\(width)x\(height)", words)
        }
    }

    /// Keeps one picture, which must match some regular expressions.
    @discardableResult
    private func record(
        _ dashboard: inout Dashboard,
        _ size: (width: Int, height: Int),
        as name: String,
        _ words: [String]
    ) throws -> Frame {
        let frame = dashboard.frame(width: size.width, height: size.height, now: Scene.now)
        try ANSIRecorder.record(frame, as: name)
        let text = frame.canvas.text
        for word in words {
            #expect(try text.contains(Regex(word)), "\(name) does not show \(word):\n\(text)")
        }
        return frame
    }
}
