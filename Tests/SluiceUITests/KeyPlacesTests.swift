import SluiceCore
import Testing

@testable import SluiceUI

/// Where a key is said to do something, it does.
struct KeyPlacesTests {
    @Test func everyPanelThatARefusalNamesTakesTheKey() {
        let situations = Self.situations()
        #expect(Set(situations.keys) == Set(Panel.allCases))
        var refusals = 0
        var judged: Set<String> = []
        for key in Self.keysOfPanels {
            for panel in Panel.allCases {
                guard var driver = situations[panel]?.first else { continue }
                _ = driver.press(keys: [key])
                guard let text = driver.dashboard.state.message?.text, text.contains(" is for "),
                    text.hasSuffix(" only")
                else { continue }
                refusals += 1
                for named in Self.panels(in: text) where judged.insert("\(key) \(named)").inserted {
                    let isTaken = situations[named, default: []].contains { Self.takes(key, $0) }
                    #expect(isTaken, "\(text): it does nothing in \(named)")
                }
            }
        }
        #expect(refusals > 150, "every key in every panel that has none of it: \(refusals)")
    }

    @Test func whatIsTakenAwayIsARowOfWhatEnded() {
        var driver = Driver(Self.scene, 120, 36)
        _ = driver.press("6d")
        #expect(driver.dashboard.state.message?.text == "d is for events, finished and failed only")
    }

    /// Keys that hold in some panels only.
    private static let keysOfPanels: [Key] = KeyMap.standardBindings.reduce(into: []) { keys, binding in
        guard case .panels = binding.scope else { return }
        for key in binding.keys where !keys.contains(key) { keys.append(key) }
    }

    /// The full scene with a task that is inspected, images that were finished, and a second failure.
    private static let scene: Scene = {
        var scene = TaskDetailTests.inspected
        scene.addFinishedImages()
        let error = DownloadError(.badStatus, "404 Not Found", status: 404)
        scene.failed(58, "https://maps.example/new-map.png", error, task: 78)
        return scene
    }()

    /// Keys that lead to a panel, with a text to look for where that can be, and how many rows are tried there.
    private static let starts: [(keys: String, rows: Int)] = [
        ("/ e esc", 5), ("2 / e esc", 2), ("3", 1), ("4 / e esc", 12), ("6", 1), ("8 / e esc", 5), ("9 / e esc", 2),
        ("i", 1), ("i ]", 1), ("I", 1), ("I right", 1), ("enter", 1), ("j enter", 1), ("8 enter", 1), ("8 j enter", 1),
    ]

    /// For each panel, dashboards with the cursor on rows of every kind.
    private static func situations() -> [Panel: [Driver]] {
        var base = Driver(scene, 120, 36)
        // Receipts whose events nobody read are cancelled all the same.
        _ = base.send(.events([], lost: 1))
        var situations: [Panel: [Driver]] = [:]
        for (keys, rows) in starts {
            var driver = base
            _ = driver.press(keys: keys.split(separator: " ").compactMap { Key(name: String($0)) })
            // Of a picture that has not come no part can be seen.
            for ask in 1...20 where keys.hasPrefix("i") {
                _ = driver.send(.picture(ask: ask, .picture(FakePicture.picture(ask))))
            }
            for _ in 0..<rows {
                situations[driver.dashboard.state.focus, default: []].append(driver)
                _ = driver.press("j")
            }
        }
        return situations
    }

    private static func panels(in text: String) -> [Panel] {
        let words = Set(text.split { !$0.isLetter }.map(String.init))
        return Panel.allCases.filter { words.contains($0.title) || ($0 == .queued && words.contains("queue")) }
    }

    /// Whether a key asks for something, or changes more than what is said.
    private static func takes(_ key: Key, _ driver: Driver) -> Bool {
        var pressed = driver
        let effects = pressed.press(keys: [key])
        return !effects.isEmpty || look(of: pressed.dashboard.state) != look(of: driver.dashboard.state)
    }

    private static func look(of state: AppState) -> String {
        let places = (state.mode, state.focus, state.isMaximised, state.lists, state.detail)
        let cursors = (state.activeCursor.index, state.queueCursor.position, state.failedCursor.index)
        let rows = (state.eventRowIndex, state.shownEventCount, state.endedRowIndex, state.shownEndedCount)
        let pictures = (state.pictures.gallery, state.pictures.chosen, state.pictures.zoom)
        return String(describing: (places, cursors, rows, pictures))
    }
}
