public import SluiceCore

/// The dashboard of Sluice: events in, effects and frames out.
///
/// Pure. It never asks for the time, never calls the pipeline or the terminal, and
/// costs what is visible, whatever waits behind. Every size has a picture.
public struct Dashboard: TerminalApplication {
    private(set) var state: AppState
    private var pacer = FramePacer()
    private var theme: Theme
    private var glyphs: Glyphs
    private var pixels: PixelInk
    /// What ``theme`` is made of.
    private var worn: ThemeChoice
    /// Whether the terminal was asked for its ground.
    private var hasAsked: Bool
    /// The last frame, for the spinner to step in.
    private var last: Frame?
    private var spinners: [(x: Int, y: Int)] = []
    private var hasSpun = false

    /// The state before the first event, drawn as the terminal allows.
    public init(_ configuration: DashboardConfiguration) {
        state = AppState(configuration)
        worn = configuration.theme
        hasAsked = configuration.theme.followsGround
        (theme, glyphs, pixels) = Self.dress(worn, configuration, isLightGround: false)
        if configuration.isRemote { pacer.spinnerInterval = .milliseconds(500) }
        pacer.invalidate(.urgent)
    }

    /// Whether an effect ended the loop.
    public var hasQuit: Bool { state.hasQuit }

    /// Changes the state, and notes how soon that must be seen; what else is to be done is returned.
    public mutating func handle(_ event: AppEvent, now: Timestamp) -> [AppEffect] {
        if case .ground(let isLight) = event {
            let palette = worn.palette(isLightGround: isLight)
            if palette != theme.palette { pacer.invalidate(.urgent) }
            theme.palette = palette
        }
        if case .link(let isSlow) = event {
            pacer.linkMeasured(isSlow: isSlow, at: now)
            return []
        }
        var change = AppReducer.reduce(&state, event, now: now)
        if state.terminal.theme != worn { change.effects += dress() }
        if change.hasCommand, event.isFromUser { pacer.commandSent(at: now) }
        pacer.isFocused = state.terminal.isFocused
        if case .snapshot = event {
            pacer.snapshotArrived(at: now, isNews: change.redraw != nil)
            if change.redraw == .urgent { pacer.invalidate(.urgent) }
        } else if let reason = change.redraw {
            pacer.invalidate(reason)
        }
        if change.hasSpun, !spinners.isEmpty, state.terminal.isFocused {
            hasSpun = true
            pacer.invalidate(.spinner)
        }
        return change.effects
    }

    /// At once after a key, seldom for data alone; `nil` while nothing changed, and once the loop has ended.
    public func frameDue(now: Timestamp) -> Timestamp? { state.hasQuit ? nil : pacer.due(now: now) }

    /// Draws the state at a size; spinners and data move only as far as is due.
    public mutating func frame(width: Int, height: Int, now: Timestamp) -> Frame {
        let isResized = (max(0, width), max(0, height)) != (state.terminal.width, state.terminal.height)
        (state.terminal.width, state.terminal.height) = (max(0, width), max(0, height))
        if hasSpun { state.spinnerStep += 1 }
        if let replay = state.replay { state.spinnerStep = Int(replay.position.nanoseconds / 125_000_000) }
        hasSpun = false
        if let last, !isResized, !pacer.showsData(now: now) {
            pacer.drawn(data: false, at: now)
            return stepped(last)
        }
        pacer.drawn(data: true, at: now)
        state.cutPictures()
        var painter = Painter(width: state.terminal.width, height: state.terminal.height, theme: theme, glyphs: glyphs)
        painter.pixels = pixels
        let cursor = ScreenView.draw(state, now: state.sessionTime(at: now), &painter)
        var frame = Frame(
            canvas: painter.finished(),
            cursor: cursor,
            title: title,
            showsActivity: state.snapshot.indicator.state.isVisible
        )
        frame.picture = state.pictures.pixels
        (last, spinners) = (frame, painter.spinners)
        state.terminal.targets = painter.targets
        return frame
    }

    /// Changes what is shown by other ways than events.
    mutating func update(_ change: (inout AppState) -> Void) {
        change(&state)
        pacer.invalidate(.data)
    }

    /// When time alone changes what is shown, as a countdown does; `nil` if it does not.
    public func nextWake(after now: Timestamp) -> Timestamp? { state.hasQuit ? nil : state.nextTimer }

    /// The summary to print on the normal screen when the terminal is restored.
    ///
    /// Counts as in `final`, the last state of the pipeline, if that is newer than what was shown.
    public func summary(final: PipelineSnapshot? = nil) -> [String] {
        LeaveSummary.lines(state, final: final)
    }

    /// Puts on the theme that was asked for.
    private mutating func dress() -> [AppEffect] {
        worn = state.terminal.theme
        (theme, glyphs, pixels) = Self.dress(
            worn,
            state.configuration,
            isLightGround: state.terminal.isLightGround ?? false
        )
        pacer.invalidate(.urgent)
        guard worn.followsGround, !hasAsked, theme.depth != .mono else { return [] }
        hasAsked = true
        return [.askForGround]
    }

    private static func dress(
        _ choice: ThemeChoice,
        _ configuration: DashboardConfiguration,
        isLightGround: Bool
    ) -> (Theme, Glyphs, PixelInk) {
        let depth = choice == .mono ? .mono : configuration.colorDepth
        return (
            Theme(depth: depth, palette: choice.palette(isLightGround: isLightGround)),
            Glyphs(isASCII: configuration.isASCII, depth: depth),
            PixelInk(depth: depth, isASCII: configuration.isASCII, hasTrueColor: configuration.hasTrueColor)
        )
    }

    private var title: String {
        let title = VisibleText.visible(state.configuration.title, limit: 40)
        return state.snapshot.indicator.state.isVisible ? title + (glyphs.isASCII ? " (active)" : " ↓") : title
    }

    private mutating func stepped(_ frame: Frame) -> Frame {
        var frame = frame
        let character = Character(glyphs.spinner(state.spinnerStep))
        for spinner in spinners { frame.canvas.replace(with: character, x: spinner.x, y: spinner.y) }
        last = frame
        return frame
    }
}

extension AppEvent {
    /// Whether somebody waits for what it leads to.
    fileprivate var isFromUser: Bool {
        switch self {
        case .key, .paste, .cutPaste, .list, .listLook, .folder, .notice, .trust, .pinDraft, .pinned: true
        case .mouse: true
        case .focus, .resized, .snapshot, .events, .earlier, .wake, .resumed, .inputEnded, .interrupted, .ground, .link,
            .picture, .sketch, .pixels:
            false
        }
    }
}
