internal import SluiceCore

/// Puts the panels where the layout says; the one place that knows them all.
enum ScreenView {
    /// - Returns: Where the cursor stands, or `nil`.
    static func draw(_ state: AppState, now: Timestamp, _ painter: inout Painter) -> Frame.Cursor? {
        let layout = state.layout
        guard painter.width > 0, painter.height > 0 else { return nil }
        let isDialog = state.mode != .lists
        if layout.form == .line {
            let isTyped = !state.prompt.editor.isEmpty || state.prompt.problem != nil
            if layout.promptRow == nil, isDialog, state.mode != .prompt || isTyped {
                return PromptView.draw(state, y: 0, &painter).cursor
            }
            SmallView.drawLine(state, y: 0, &painter)
            let isSaid = isDialog || state.quitArmedUntil != nil || state.message != nil
            guard let row = layout.promptRow, isSaid else { return nil }
            return PromptView.draw(state, y: row, under: layout.hintRow, &painter).cursor
        }
        HeaderView.draw(state, now: now, &painter)
        if state.trust != nil {
            TrustView.draw(state, &painter)
        } else if layout.form == .small, layout.panels.isEmpty {
            SmallView.draw(state, in: layout.bodyRect, now: now, &painter)
        }
        for (panel, rect) in layout.panels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where state.trust == nil {
            draw(panel, state, in: rect, now: now, &painter)
        }
        if let row = layout.bannerRow { BannerView.draw(state, y: row, &painter) }
        if let row = layout.cacheRow, state.trust == nil { CacheView.drawLine(state, y: row, &painter) }
        if case .help = state.mode { HelpView.draw(state, &painter) }
        if case .event(let text) = state.mode { EventTextView.draw(text, state, &painter) }
        if case .question(.deleteFiles(let files)) = state.mode { QuestionView.draw(files, &painter) }
        if case .question(.pin(let draft)) = state.mode { QuestionView.draw(draft, in: layout.bodyRect, &painter) }
        if let row = layout.promptRow {
            painter.noteTarget(.prompt, Rect(x: 0, y: row, width: painter.width, height: 1))
        }
        let prompt = layout.promptRow.map { PromptView.draw(state, y: $0, under: layout.hintRow, &painter) }
        if let row = layout.hintRow, !PromptView.needsRowUnder(state) {
            HintView.draw(state, y: row, before: prompt?.below ?? [], &painter)
        }
        return prompt?.cursor
    }

    private static func draw(_ panel: Panel, _ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter)
    {
        painter.noteTarget(.panel(panel), rect)
        switch panel {
        case .active: ActiveView.draw(state, in: rect, now: now, &painter)
        case .queued: QueuedView.draw(state, in: rect, now: now, &painter)
        case .cache: CacheView.draw(state, in: rect, &painter)
        case .events: EventsView.draw(state, in: rect, &painter)
        case .network: NetworkView.draw(state, in: rect, now: now, &painter)
        case .detail: TaskDetailView.draw(state, in: rect, now: now, &painter)
        case .finished: FinishedView.draw(state, in: rect, &painter)
        case .failed: FailedView.draw(state, in: rect, now: now, &painter)
        case .preview:
            if state.pictures.gallery == nil {
                PreviewView.draw(state, in: rect, now: now, &painter)
            } else {
                GalleryView.draw(state, in: rect, now: now, &painter)
            }
        }
    }
}
