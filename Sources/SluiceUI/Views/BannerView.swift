internal import SluiceCore

/// One filled row under the header for what keeps everything from going on, or would lose it.
enum BannerView {
    static func isShown(_ state: AppState) -> Bool { state.lacksRoom || state.news.hasLostState }

    static func draw(_ state: AppState, y: Int, _ painter: inout Painter) {
        guard isShown(state) else { return }
        let (choices, room) = (choices(state), painter.width - 2)
        painter.ground(.bad, x: 0, y: y, width: painter.width)
        let text = choices.first { $0.width <= room } ?? choices[choices.count - 1]
        painter.put(fitting: text.inked(.ink), x: 1, y: y, limit: room)
    }

    /// What lets the queue go on: room alone, unless the user suspended it besides.
    private static func cure(_ state: AppState) -> String {
        guard state.snapshot.settings.suspended else { return "resumes when space is back" }
        return state.configuration.keys.phrase(.suspend, "goes on").map { "make room, then \($0)" } ?? "make room"
    }

    /// Longest first; what to do stands in all.
    private static func choices(_ state: AppState) -> [StyledText] {
        guard state.lacksRoom else {
            let said = ["what happens now is not kept for next time", "not kept for next time"]
            return ["\(said[0]) · Events say why", said[0], said[1]].map { .figure("✗ state") + .plain("  \($0)") }
        }
        let folder = state.snapshot.fullFolder ?? state.configuration.directory ?? state.snapshot.directory
        let place = folder.map { " in " + Elision.middle(VisibleText.visible($0), 30) } ?? ""
        let needed = state.snapshot.neededSpace.map { "\(Format.bytes($0).text) needed" }
        let (lack, cure) = ("no room\(place)" + (needed.map { ", \($0)" } ?? ""), cure(state))
        let short = needed ?? "queue paused"
        return [
            "\(lack) · queue paused, partials kept · \(cure)", "\(lack) · \(cure)", "\(short) · \(cure)", cure,
        ].map { .figure("✗ disk full") + .plain("  \($0)") }
    }
}
