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
        /// Three columns.
        case columns

        /// Whether there is a choice of panels.
        var hasPresets: Bool {
            switch self {
            case .line, .small, .stacked: false
            case .full, .wide, .columns: true
            }
        }
    }

    /// Which panels the user wants to see where there is a choice.
    enum Preset: Int, CaseIterable, Sendable {
        case all
        /// Rows over the whole width, the cache as one line.
        case tasks
        /// Cache and network large, what runs below them.
        case caches

        var title: String {
            switch self {
            case .all: "all panels"
            case .tasks: "tasks only"
            case .caches: "cache and network"
            }
        }

        /// For `:preset`.
        var word: String {
            switch self {
            case .all: "all"
            case .tasks: "tasks"
            case .caches: "cache"
            }
        }

        var next: Preset { Preset(rawValue: (rawValue + 1) % Preset.allCases.count) ?? .all }
    }

    /// What a layout depends on besides the size.
    struct Wish: Equatable, Sendable {
        /// Tasks that may be active, which the active panel should hold.
        var slots = 4
        /// Shown alone where the layout has no place for it.
        var focus = Panel.active
        /// Whether the focused panel takes all.
        var isMaximised = false
        /// Whether the active panel tells how to begin, which needs room.
        var isEmpty = false
        /// Which of queue, finished and failed list is seen.
        var list = Panel.queued
        var preset = Preset.all
        /// Whether there is a picture to show beside the lists.
        var hasPreview = false
        /// Whether there are purges to tell of.
        var hasPurges = false
        /// Whether a row under the header says what is wrong.
        var hasBanner = false
        /// Whether the prompt needs a row under it also where there is none for hints.
        ///
        /// It has one where rows are left above.
        var needsRowUnder = false
    }

    let form: Form
    let width: Int
    let height: Int
    private(set) var panels: [Panel: Rect] = [:]
    private(set) var cacheRow: Int?
    private(set) var bannerRow: Int?
    let promptRow: Int?
    let hintRow: Int?

    /// First row of the panels.
    private var top: Int { bannerRow.map { $0 + 1 } ?? 1 }
    /// Rows between header and prompt.
    private var body: Int { max(0, (promptRow ?? height) - top) }

    /// - Parameters:
    ///   - width: Columns. `0...`
    ///   - height: Rows. `0...`
    ///   - wish: What should be seen.
    init(width: Int, height: Int, _ wish: Wish) {
        (self.width, self.height) = (width, height)
        form =
            switch (width, height) {
            case (180..., 44...): .columns
            case (110..., 30...): .wide
            case (80..., 24...): .full
            case (60..., 16...): .stacked
            case (40..., 4...): .small
            default: .line
            }
        let hasHints = form != .line && form != .small
        let hasRowUnder = hasHints || (wish.needsRowUnder && height >= (form == .small ? 7 : 3))
        hintRow = hasRowUnder ? height - 1 : nil
        promptRow =
            switch form {
            case .line where height < 2: nil
            case .line, .small: hasRowUnder ? height - 2 : height - 1
            case .stacked, .full, .wide, .columns: height - 2
            }
        if wish.hasBanner, hasHints || height >= 8 { bannerRow = 1 }
        // Made for every frame, and would grow three times in each.
        panels.reserveCapacity(Panel.allCases.count)
        arrange(wish)
        if wish.list != .queued, let rect = panels.removeValue(forKey: .queued) { panels[wish.list] = rect }
        let hasRoom = form != .line && body >= 4
        let isAlone = panels[wish.focus] == nil && (form != .small || wish.focus != .active)
        if hasRoom, wish.isMaximised || isAlone {
            // What the cache holds and lost last stands at every size, also when one panel takes all.
            let hasLine = wish.focus != .cache && body >= Self.bodyWithCacheLine
            cacheRow = hasLine ? top + body - 1 : nil
            panels = [wish.focus: Rect(x: 0, y: top, width: width, height: hasLine ? body - 1 : body)]
        }
    }

    /// Rows between header and prompt from which one of them tells of the cache.
    static let bodyWithCacheLine = 5

    /// All between header and prompt, for what takes the place of the panels.
    var bodyRect: Rect { Rect(x: 0, y: top, width: width, height: body) }

    /// Rows inside a panel.
    func rows(in panel: Panel) -> Int { panels[panel].map { max(0, $0.height - 2) } ?? 0 }

    private mutating func arrange(_ wish: Wish) {
        switch (form, wish.preset) {
        case (.line, _), (.small, _): break
        case (.stacked, _): stack(slots: wish.slots)
        case (_, .tasks): arrangeTasks(slots: wish.slots)
        case (_, .caches): arrangeCaches(slots: wish.slots)
        case (.full, .all): arrangeFull(slots: wish.isEmpty ? 8 : wish.slots)
        case (.wide, .all):
            let isAboutPurges = wish.focus == .cache && wish.hasPurges
            arrangeWide(slots: wish.slots, hasPreview: wish.hasPreview, isAboutPurges: isAboutPurges)
        case (.columns, .all): arrangeColumns(slots: wish.slots, hasPreview: wish.hasPreview)
        }
    }

    private mutating func stack(slots: Int) {
        let rest = body - 1
        cacheRow = top + rest
        let active = min(max(rest * 6 / 10, min(slots + 4, rest - 4)), rest - 4)
        place(.active, 0, 0, width, active)
        place(.queued, 0, active, width, rest - active)
    }

    private mutating func arrangeTasks(slots: Int) {
        let rest = body - 1
        cacheRow = top + rest
        let events = max(4, rest / 5)
        let active = min(max(slots + 5, (rest - events) * 45 / 100), rest - events - 5)
        place(.active, 0, 0, width, active)
        place(.queued, 0, active, width, rest - events - active)
        place(.events, 0, rest - events, width, events)
    }

    private mutating func arrangeCaches(slots: Int) {
        let active = min(slots + 5, body * 4 / 10)
        let left = width * 55 / 100
        place(.cache, 0, 0, left, body - active)
        place(.network, left, 0, width - left, body - active)
        place(.active, 0, body - active, width, active)
    }

    private mutating func arrangeFull(slots: Int) {
        let extra = body - 21
        var events = (slots > 4 ? 4 : 6) + extra / 4
        var middle = 7 + extra / 2
        let active = min(max(body - events - middle, slots + 4), body - 9)
        events = max(4, min(events, body - active - 5))
        middle = body - active - events
        let left = max(44, width * 55 / 100)
        place(.active, 0, 0, width, active)
        place(.queued, 0, active, left, middle)
        place(.cache, left, active, width - left, middle)
        place(.events, 0, active + middle, width, events)
    }

    /// While the cache is looked at, the preview makes room for the why of its purges, if there were any.
    private mutating func arrangeWide(slots: Int, hasPreview: Bool, isAboutPurges: Bool) {
        let right = min(68, max(44, width * 34 / 100))
        let left = width - right
        let extra = body - 33
        let events = max(6, 7 + extra * 2 / 7)
        let active = min(max(13 + extra / 7, slots + 6), body - events - 6)
        let queued = body - active - events
        place(.active, 0, 0, left, active)
        place(.queued, 0, active, left, queued)
        place(.events, 0, active + queued, left, events)
        let preview = hasPreview ? isAboutPurges ? max(7, body * 22 / 100) : body * 42 / 100 : 0
        let network = hasPreview ? 6 + extra / 5 : 12 + extra / 4
        place(.cache, left, 0, right, body - network - preview)
        place(.network, left, body - network - preview, right, network)
        if hasPreview { place(.preview, left, body - preview, right, preview) }
    }

    private mutating func arrangeColumns(slots: Int, hasPreview: Bool) {
        let right = min(72, max(46, width * 24 / 100))
        let middle = min(76, max(50, width * 26 / 100))
        let left = width - right - middle
        let events = max(8, body * 24 / 100)
        let upper = body - events
        let active = min(max(upper * 42 / 100, slots + 8), upper - 8)
        let network = max(10, upper * 28 / 100)
        place(.active, 0, 0, left, active)
        place(.queued, 0, active, left, upper - active)
        place(.network, left, 0, middle, network)
        place(.cache, left, network, middle, upper - network)
        place(.events, 0, upper, left + middle, events)
        let preview = hasPreview ? body * 42 / 100 : 0
        if hasPreview { place(.preview, left + middle, 0, right, preview) }
        place(.detail, left + middle, preview, right, body - preview)
    }

    /// Rows count from the first below the header.
    private mutating func place(_ panel: Panel, _ x: Int, _ row: Int, _ width: Int, _ height: Int) {
        panels[panel] = Rect(x: x, y: top + row, width: width, height: height)
    }
}
