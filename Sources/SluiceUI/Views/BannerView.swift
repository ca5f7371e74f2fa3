internal import SluiceCore

/// One filled row under the header for what keeps everything from going on.
enum BannerView {
    static func isShown(_ state: AppState) -> Bool { text(state) != nil }

    static func draw(_ state: AppState, y: Int, _ painter: inout Painter) {
        guard let text = text(state) else { return }
        painter.ground(.bad, x: 0, y: y, width: painter.width)
        painter.put(text.inked(.ink), x: 1, y: y, limit: painter.width - 2)
    }

    private static func cure(_ state: AppState) -> String {
        state.configuration.keys.phrase(.suspend, "goes on").map { "make room, then \($0)" } ?? "make room"
    }

    private static func text(_ state: AppState) -> StyledText? {
        guard state.isDiskFull, state.snapshot.settings.suspended else { return nil }
        let place = (state.configuration.directory ?? state.snapshot.directory).map {
            " in " + Elision.middle(VisibleText.visible($0), 30)
        }
        return .figure("✗ disk full")
            + .plain("  no room\(place ?? "") · queue suspended, partials kept · \(cure(state))")
    }
}
