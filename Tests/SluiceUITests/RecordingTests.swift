import SluiceCore
import Testing

@testable import SluiceUI

/// Draws the pictures that people compare with the looks, where ``ANSIRecorder`` is asked to keep them.
struct RecordingTests {
    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 36), (200, 50)])
    func everyScreenCanBeRecorded(width: Int, height: Int) throws {
        for (name, scene) in [("empty", Scene.empty), ("full", .full), ("failing", .failing)] {
            var dashboard = scene.dashboard(width, height, prompt: name == "empty")
            let frame = dashboard.frame(width: width, height: height, now: Scene.now)
            try ANSIRecorder.record(frame, as: "\(name)-\(width)x\(height)")
            #expect(frame.canvas.width == width)
        }
    }

    @Test func specialScreensCanBeRecorded() throws {
        try record("purge") { dashboard in
            var scene = Scene()
            scene.purge(61.5, freed: 44_040_192, victims: 17)
            _ = dashboard.handle(.key(.character("3")), now: Scene.now)
            _ = dashboard.handle(.events(scene.events, lost: 0), now: Scene.now)
        }
        try record("help") { _ = $0.handle(.key(.character("?")), now: Scene.now) }
        try record("queue") { dashboard in
            for key in [Key.character("2"), .character("j"), .character("j")] {
                _ = dashboard.handle(.key(key), now: Scene.now)
            }
        }
        try record("prompt") { dashboard in
            _ = dashboard.handle(.key(.character("a")), now: Scene.now)
            _ = dashboard.handle(.paste("https://img.nasa.example/{iss,hubble}/[001-040].jpg"), now: Scene.now)
        }
    }

    @Test(arguments: ColorDepth.allCases)
    func everyColourDepthCanBeRecorded(depth: ColorDepth) throws {
        for isASCII in [false, true] {
            var dashboard = Scene.failing.dashboard(80, 24, depth: depth, ascii: isASCII)
            let frame = dashboard.frame(width: 80, height: 24, now: Scene.now)
            try ANSIRecorder.record(frame, as: "\(depth)\(isASCII ? "ascii" : "")-80x24")
            #expect(frame.canvas.width == 80)
        }
    }

    private func record(_ name: String, _ act: (inout Dashboard) -> Void) throws {
        for (width, height) in [(80, 24), (120, 36), (60, 16), (40, 8)] {
            var dashboard = Scene.full.dashboard(width, height)
            act(&dashboard)
            let frame = dashboard.frame(width: width, height: height, now: Scene.now)
            try ANSIRecorder.record(frame, as: "\(name)-\(width)x\(height)")
            #expect(frame.canvas.height == height)
        }
    }
}
