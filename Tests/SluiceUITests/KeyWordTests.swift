import SluiceCore
import Testing

@testable import SluiceUI

/// Keys that the configuration changed, in the sentences of the screen.
struct KeyWordTests {
    private func dashboard(_ changes: [KeyChange], _ scene: Scene, _ width: Int, _ height: Int) throws -> Dashboard {
        var configuration = Scene.configuration()
        configuration.keys = try KeyMap(changes)
        var dashboard = Dashboard(configuration)
        _ = dashboard.handle(.resized(width: width, height: height), now: Scene.now)
        _ = dashboard.handle(.events(scene.events, lost: 0), now: Scene.now)
        _ = dashboard.handle(.snapshot(scene.snapshot), now: Scene.now)
        _ = dashboard.handle(.key(.escape), now: Scene.now)
        return dashboard
    }

    private func text(_ dashboard: inout Dashboard, _ width: Int, _ height: Int) -> String {
        dashboard.frame(width: width, height: height, now: Scene.now).canvas.text
    }

    private func change(_ action: String, _ keys: String...) -> KeyChange {
        KeyChange(action: action, keys: keys, line: 1)
    }

    @Test func whatAScreenSaysOfAKeyIsTheKeyThatItIs() throws {
        let changes = [
            change("pause", "f5"), change("add", "f6"), change("focusCache", "f7"), change("retry", "f8"),
            change("allHeaders", "H"), change("cancelReceipt", "f9"),
        ]
        var dashboard = try dashboard(changes, .failing, 120, 36)
        var text = text(&dashboard, 120, 36)
        #expect(text.contains("paused at 77 % · F5 resumes"))
        #expect(text.contains("add › F6 to type"))
        #expect(text.contains("─ F7 cache"))
        dashboard = try self.dashboard(changes, TaskDetailTests.inspected, 120, 36)
        _ = dashboard.handle(.key(.enter), now: Scene.now)
        text = self.text(&dashboard, 120, 36)
        #expect(text.contains("1 more: H shows all"))
        #expect(text.contains("F9 cancels this one"))
        let advice = Advice.text(DownloadError(.timedOut, ""), try KeyMap(changes))
        #expect(advice.hasSuffix("F8 tries again."))
    }

    @Test func anActionWithoutAKeyIsNotOffered() throws {
        let changes = [change("pause"), change("focusCache"), change("retry"), change("pauseAll")]
        var dashboard = try dashboard(changes, .failing, 120, 36)
        let text = text(&dashboard, 120, 36)
        #expect(text.contains("paused at 77 %") && !text.contains("resumes"))
        #expect(text.contains("─ cache"))
        #expect(Advice.text(DownloadError(.truncated, ""), try KeyMap(changes)) == "The body ended early.")
    }
}
