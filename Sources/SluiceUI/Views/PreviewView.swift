internal import SluiceCore

/// The picture of the selected image, or why there is none yet.
enum PreviewView {
    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let subject = state.pictures.subject
        var edges = Painter.Edges(state.digit(.preview), "preview", facts: [], feet: feet(state))
        if let subject {
            var shown = subject.name
            // What is asked for and not answered yet has not replaced the picture before it.
            if subject.live == nil, case .picture = state.pictures.preview.content { shown = state.pictures.shownName }
            let name = Elision.middle(VisibleText.visible(shown, limit: 300), max(8, rect.width - 20))
            edges.facts = [.plain(name)]
        }
        edges.isFocused = state.keyPanel == .preview
        painter.box(rect, edges)
        guard let place = state.previewPlace, place.width >= 2 else { return }
        if let pixels = state.pictures.pixels {
            draw(pixels, in: place, &painter)
            painter.notePixels(in: place, image: state.previewCut().flatMap { state.pictures.cut[$0.key] })
        } else if let (key, _) = state.previewCut(), let image = state.pictures.cut[key] {
            image.draw(in: place, &painter)
        } else {
            card(lines(state, now: now), in: place, &painter)
        }
    }

    /// Cells that stand for a picture, which the terminal draws.
    private static func draw(_ picture: PixelPicture, in place: Rect, _ painter: inout Painter) {
        let left = place.x + (place.width - picture.columns) / 2
        let top = place.y + (place.height - picture.rows) / 2
        for row in 0..<picture.rows {
            for column in 0..<picture.columns {
                guard let character = PixelPicture.character(column: column, row: row) else { continue }
                painter.put(character, color: Int32(picture.number), x: left + column, y: top + row)
            }
        }
    }

    /// Lines in the middle of a place.
    static func card(_ lines: [StyledText], in place: Rect, _ painter: inout Painter) {
        let shown = lines.prefix(place.height)
        let top = place.y + (place.height - shown.count) / 2
        for (index, line) in shown.enumerated() {
            let x = place.x + max(0, (place.width - line.width) / 2)
            painter.put(line, x: x, y: top + index, limit: place.width)
        }
    }

    private static func lines(_ state: AppState, now: Timestamp) -> [StyledText] {
        guard let subject = state.pictures.subject else {
            if state.replay != nil { return [.dim("a recording holds no pictures")] }
            return state.snapshot.settings.decode == .never
                ? [.dim("decode is never:"), .dim("no picture is made")] : [.dim("no picture yet")]
        }
        if !subject.hasPicture { return [.dim("no picture of it")] }
        if let live = subject.live,
            let row = (state.activeRows + state.snapshot.queued).first(where: { $0.task == live })
        {
            if state.snapshot.hasEnded, row.state == .paused { return [.bold("‖ left", .wait)] }
            return self.row(row, now: now)
        }
        switch state.pictures.preview.content {
        case .failed(let why):
            // Nothing failed: a log has none.
            if state.replay != nil { return [.dim(VisibleText.visible(why, limit: 200))] }
            return [.bold("✗ no picture", .bad), .dim(VisibleText.visible(why, limit: 200))]
        case .placeholder, .picture: return [.dim("…")]
        }
    }

    /// What a task without a picture does, for the preview and the gallery.
    static func row(_ row: PipelineSnapshot.Row, now: Timestamp) -> [StyledText] {
        switch row.state {
        case .active:
            var line = row.pace()
            if let expected = row.expected, expected > 0 {
                line = .figure("\(min(100, row.received * 100 / expected))") + .dim(" % · ") + line
            }
            return [.bold("active", .run), line]
        case .waiting(let until, _):
            let wait = Format.countdown(until - now)
            return [.bold("↻ waiting \(wait)", .wait), .dim("attempt \(row.attempt) of \(row.attempts)")]
        case .paused: return [.bold("‖ paused", .wait)]
        case .queued(let position):
            return [.bold("· queued", .bright), .dim(position > 0 ? "position \(position)" : "answered from disk")]
        }
    }

    private static func feet(_ state: AppState) -> [StyledText] {
        let isFull = state.isPreviewFull
        let key = isFull ? state.hint(.restore, "back") : state.hint(.openPicture, "full")
        guard let subject = state.pictures.subject else { return [] }
        // There is nothing to open, but a way back all the same.
        if !subject.hasPicture { return isFull ? [key] : [] }
        if let live = subject.live {
            guard state.pictures.sketch?.task == live,
                let row = state.activeRows.first(where: { $0.task == live })
            else { return [key] }
            var part = StyledText.dim("partial")
            if let expected = row.expected, expected > 0 {
                part += .dim(", ") + .plain("\(min(100, row.received * 100 / expected))") + .dim(" %")
            }
            return [part + .dim(" · ") + key, part]
        }
        guard case .picture(let picture) = state.pictures.preview.content else { return [key] }
        var facts = facts(picture.info)
        if picture.info.frames > 1 {
            let kept =
                picture.keptFrames < picture.info.frames
                ? "\(picture.keptFrames) of \(picture.info.frames)" : "\(picture.info.frames)"
            facts += .dim(" · ") + .plain(kept) + .dim(" frames")
        }
        let short = facts
        if state.pictures.zoom.factor > 1 { facts += .dim(" · zoom ") + .plain("×\(state.pictures.zoom.factor)") }
        let size = Format.bytes(picture.cost)
        let place = state.pictures.gone.contains(subject.url) ? ", not in memory · " : " in memory · "
        let full = facts + .dim(" · ") + .plain(size.number) + .dim(" \(size.unit)\(place)") + key
        return [full, facts + .dim(" · ") + key, short]
    }

    /// Format and size.
    static func facts(_ info: ImageInfo) -> StyledText {
        .dim("\(info.format.rawValue) ") + .plain("\(info.width)×\(info.height)")
    }
}
