/// Where everything stands at one size; pure, and total: every size has a layout.
struct Layout: Equatable, Sendable {
    enum Form: Sendable {
        /// The facts in one row.
        case line
        /// Header, rows without frames, prompt.
        case small
        /// Boxes under each other, the cache as one line.
        case stacked
        /// As drawn for 80×24.
        case full
        /// Two columns.
        case wide
    }

    let form: Form
    let width: Int
    let height: Int
    private(set) var panels: [Panel: Rect] = [:]
    private(set) var cacheRow: Int?
    let promptRow: Int?
    let hintRow: Int?

    /// Rows between header and prompt.
    private var body: Int { max(0, (promptRow ?? height) - 1) }

    /// - Parameters:
    ///   - width: Columns. `0...`
    ///   - height: Rows. `0...`
    ///   - slots: Tasks that may be active, which the active panel should hold.
    ///   - focus: Shown alone where the layout has no place for it.
    ///   - isMaximised: Whether the focused panel takes all.
    ///   - isEmpty: Whether the active panel tells how to begin, which needs room.
    init(width: Int, height: Int, slots: Int, focus: Panel, isMaximised: Bool, isEmpty: Bool = false) {
        (self.width, self.height) = (width, height)
        form =
            switch (width, height) {
            case (110..., 30...): .wide
            case (80..., 24...): .full
            case (60..., 16...): .stacked
            case (40..., 4...): .small
            default: .line
            }
        let hasHints = form != .line && form != .small
        hintRow = hasHints ? height - 1 : nil
        promptRow =
            switch form {
            case .line: height >= 2 ? height - 1 : nil
            case .small: height - 1
            case .stacked, .full, .wide: height - 2
            }
        switch form {
        case .line, .small: break
        case .stacked: stack(slots: slots)
        case .full: arrangeFull(slots: isEmpty ? 8 : slots)
        case .wide: arrangeWide(slots: slots)
        }
        let hasRoom = form != .line && body >= 4
        if hasRoom, isMaximised || (panels[focus] == nil && (form != .small || focus != .active)) {
            panels = [focus: Rect(x: 0, y: 1, width: width, height: body)]
            cacheRow = nil
        }
    }

    /// Rows inside a panel.
    func rows(in panel: Panel) -> Int { panels[panel].map { max(0, $0.height - 2) } ?? 0 }

    private mutating func stack(slots: Int) {
        var rest = body - 1
        cacheRow = body
        if rest >= 19 {
            let events = 6
            rest -= events
            panels[.events] = Rect(x: 0, y: 1 + rest, width: width, height: events)
        }
        let active = min(max(rest * 6 / 10, min(slots + 4, rest - 4)), rest - 4)
        panels[.active] = Rect(x: 0, y: 1, width: width, height: active)
        panels[.queued] = Rect(x: 0, y: 1 + active, width: width, height: rest - active)
    }

    private mutating func arrangeFull(slots: Int) {
        let extra = body - 21
        var events = (slots > 4 ? 4 : 6) + extra / 4
        var middle = 7 + extra / 2
        let active = min(max(body - events - middle, slots + 4), body - 9)
        events = max(4, min(events, body - active - 5))
        middle = body - active - events
        let left = max(44, width * 55 / 100)
        panels[.active] = Rect(x: 0, y: 1, width: width, height: active)
        panels[.queued] = Rect(x: 0, y: 1 + active, width: left, height: middle)
        panels[.cache] = Rect(x: left, y: 1 + active, width: width - left, height: middle)
        panels[.events] = Rect(x: 0, y: 1 + active + middle, width: width, height: events)
    }

    private mutating func arrangeWide(slots: Int) {
        let right = min(68, max(44, width * 34 / 100))
        let left = width - right
        let extra = body - 33
        let events = max(6, 7 + extra * 2 / 7)
        let active = min(max(13 + extra / 7, slots + 6), body - events - 6)
        let queued = body - active - events
        panels[.active] = Rect(x: 0, y: 1, width: left, height: active)
        panels[.queued] = Rect(x: 0, y: 1 + active, width: left, height: queued)
        panels[.events] = Rect(x: 0, y: 1 + active + queued, width: left, height: events)
        let network = 12 + extra / 4
        panels[.cache] = Rect(x: left, y: 1, width: right, height: body - network)
        panels[.network] = Rect(x: left, y: 1 + body - network, width: right, height: network)
    }
}
