internal import SluiceCore

/// Pictures: which are asked for, what arrives, and what moves.
extension AppReducer {
    /// Bytes a second that an animation may send while nobody looks at it in particular.
    static let quietRate = 3_000
    /// As ``quietRate``, while the preview has the focus.
    static let focusedRate = 64_000
    /// Bytes of a cell that changes: two colours and a sign.
    static let cellBytes = 40
    /// How long a picture that nobody chose stays.
    private static let holdTime: Duration = .seconds(8)

    // MARK: What arrives

    static func take(picture ask: Int, _ news: PictureNews, _ state: inout AppState, _ change: inout Change) {
        func arrived(in slot: inout ImageSlot<Picture>) -> [ImageSlot<Picture>.Action]? {
            guard slot.pending == ask else { return nil }
            switch news {
            case .picture(let picture):
                _ = slot.arrived(picture, for: ask)
                return []
            case .none(let why): return slot.failed(why, for: ask)
            }
        }
        if let actions = arrived(in: &state.pictures.preview) {
            state.pictures.shownName = state.pictures.subject?.name ?? ""
            perform(actions, size: PictureState.proof, moves: true, &change)
            return change.draw(.urgent)
        }
        for url in state.pictures.tiles.keys where state.pictures.tiles[url]?.pending == ask {
            if let actions = state.pictures.tiles[url].map({ _ in
                arrived(in: &state.pictures.tiles[url, default: .init()])
            }) {
                perform(actions ?? [], size: PictureState.tileProof, moves: false, &change)
            }
            return change.draw(.data)
        }
    }

    /// The submit of a picture was answered; it is no news for the lists.
    ///
    /// - Returns: Whether the event was about a picture.
    static func takePicture(_ submission: Submission, _ state: inout AppState, _ change: inout Change) -> Bool {
        guard case .view(let ask) = submission.origin else { return false }
        // Memory and refusals are answered by the picture itself, or by the reason why there is none.
        guard let receipt = submission.receipt else { return true }
        state.pictures.receipts.insert(receipt)
        if let task = submission.task, submission.outcome != .joined { state.pictures.tasks.insert(task) }
        if let url = state.pictures.tiles.first(where: { $0.value.pending == ask })?.key {
            send(state.pictures.tiles[url, default: .init()].accepted(ask, receipt), &change)
        } else {
            send(state.pictures.preview.accepted(ask, receipt), &change)
        }
        return true
    }

    private static func send(_ actions: [ImageSlot<Picture>.Action], _ change: inout Change) {
        for case .cancel(let receipt) in actions { change.send(.cancel(receipt)) }
    }

    static func takeImage(_ end: TaskEnd, _ state: inout AppState) {
        if state.pictures.sketch?.task == end.task { state.pictures.sketch = nil }
        guard end.outcome == .success, let info = end.image, info.format.isDecodable else { return }
        let name = end.file.map(PathText.name(of:)) ?? EventSentence.name(end.url)
        state.pictures.add(
            PictureState.Entry(
                url: end.url,
                name: name,
                task: end.task,
                info: info,
                bytes: end.bytes,
                isSaved: end.file != nil
            )
        )
    }

    // MARK: What is asked for

    /// Lets every place ask for what it should show, after something changed.
    static func settlePictures(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        if state.focus != .preview {
            (state.pictures.gallery, state.pictures.galleryBelow, state.pictures.chosen) = (nil, nil, nil)
        }
        let layout = state.layout
        let isGallery = state.pictures.gallery != nil && layout.panels[.preview] != nil
        let isSeen = layout.panels[.preview] != nil && !isGallery
        let subject = isSeen ? held(state.previewSubject, &state, now) : nil
        if subject != state.pictures.subject {
            if subject?.url != state.pictures.subject?.url {
                state.pictures.zoom = .fit
                state.pictures.sketch = nil
                state.pictures.pendingSketch = nil
                // What stood in its tile is more than words, until more of it comes.
                if let live = subject?.live, let tile = state.pictures.tileSketches.shown[live] {
                    state.pictures.sketch = PictureSketch(task: live, bitmap: tile.bitmap)
                    state.pictures.sketchSerial += 1
                }
            }
            state.pictures.subject = subject
            change.draw(.data)
        }
        let wanted = subject.flatMap { $0.live == nil && $0.hasPicture ? $0.url : nil }
        if wanted != state.pictures.preview.url {
            let actions = state.pictures.preview.show(wanted, as: state.pictures.nextAsk())
            perform(actions, size: PictureState.proof, moves: true, &change)
        } else if state.pictures.isPreviewOutdated {
            let actions = state.pictures.preview.renew(as: state.pictures.nextAsk())
            perform(actions, size: PictureState.proof, moves: true, &change)
        }
        state.pictures.isPreviewOutdated = false
        if isGallery, let rect = layout.panels[.preview] { settleTiles(rect, &state, &change) }
        observe(isGallery ? state.liveTiles : subject?.live.map { [$0] } ?? [], &state, &change)
        showSketch(&state, &change, now)
        showTileSketches(isGallery: isGallery, &state, &change, now)
        play(isSeen: isSeen, &state, &change, now)
    }

    /// A picture that nobody chose stays for some seconds while others are finished: each new one is sent whole.
    private static func held(
        _ wanted: PictureState.Subject?,
        _ state: inout AppState,
        _ now: Timestamp
    ) -> PictureState.Subject? {
        state.pictures.holdDue = nil
        // A recording looks the same however its place was reached.
        guard state.replay == nil, let wanted, let current = state.pictures.subject, wanted.url != current.url else {
            return wanted
        }
        if let until = state.pictures.heldUntil, now < until, current.live == nil, !state.hasChosenPicture,
            !state.snapshot.active.isEmpty
        {
            state.pictures.holdDue = until
            return current
        }
        state.pictures.heldUntil = state.hasChosenPicture ? nil : now + holdTime
        return wanted
    }

    private static func settleTiles(_ rect: Rect, _ state: inout AppState, _ change: inout Change) {
        let grid = GalleryView.Grid(rect)
        let index = state.galleryIndex
        let top = state.pictures.gallery?.top ?? 0
        state.pictures.gallery?.top = grid.top(showing: index, from: top)
        for item in state.picturedItems(in: grid) {
            guard case .image(let entry) = item, state.pictures.tiles[entry.url] == nil else { continue }
            var slot = ImageSlot<Picture>()
            let actions = slot.show(entry.url, as: state.pictures.nextAsk())
            state.pictures.tiles[entry.url] = slot
            state.pictures.tileOrder.append(entry.url)
            perform(actions, size: PictureState.tileProof, moves: false, &change)
        }
        while state.pictures.tileOrder.count > max(PictureState.tileLimit, grid.count * 2) {
            let url = state.pictures.tileOrder.removeFirst()
            guard var slot = state.pictures.tiles.removeValue(forKey: url) else { continue }
            perform(slot.show(nil, as: 0), size: PictureState.tileProof, moves: false, &change)
        }
    }

    private static func perform(
        _ actions: [ImageSlot<Picture>.Action],
        size: (width: Int, height: Int),
        moves: Bool,
        _ change: inout Change
    ) {
        func request(_ url: String, _ ask: Int) -> PictureRequest {
            PictureRequest(ask: ask, url: url, width: size.width, height: size.height, moves: moves)
        }
        for action in actions {
            switch action {
            case .submit(let url, let ask): change.effects.append(.submitPicture(request(url, ask)))
            case .readFile(let url, let ask): change.effects.append(.readPicture(request(url, ask)))
            case .drop(let ask): change.effects.append(.dropPicture(ask))
            case .cancel(let receipt): change.send(.cancel(receipt))
            }
        }
    }

    // MARK: What moves

    /// Steps the animation whose time has come, where somebody can see it.
    private static func play(isSeen: Bool, _ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard isSeen, state.mayPlay, case .picture(let picture) = state.pictures.preview.content,
            picture.frames.count > 1
        else {
            state.pictures.player.due = nil
            return
        }
        var player = state.pictures.player
        if player.picture != picture.id {
            player = Player(picture: picture.id, due: now + picture.frames[0].delay)
        } else if player.due == nil, picture.loops == 0 || player.rounds < picture.loops {
            player.due = now + picture.frames[player.index].delay
        }
        guard let due = player.due, due <= now else {
            state.pictures.player = player
            return
        }
        let isLast = player.index == picture.frames.count - 1
        if isLast { player.rounds += 1 }
        if isLast, picture.loops > 0, player.rounds >= picture.loops {
            player.due = nil
        } else {
            let old = player.index
            player.index = (player.index + 1) % picture.frames.count
            let rate = state.focus == .preview ? focusedRate : quietRate
            let bytes = state.changedCells(from: old, to: player.index) * cellBytes
            let pause = Duration.milliseconds(Int64(bytes) * 1_000 / Int64(rate))
            player.due = now + max(picture.frames[player.index].delay, pause, .milliseconds(80))
            change.draw(.urgent)
        }
        state.pictures.player = player
    }

    // MARK: Keys

    static func openPicture(_ state: inout AppState, _ now: Timestamp) {
        if state.focus == .preview, state.isMaximised, state.pictures.gallery == nil { return leavePictures(&state) }
        if let gallery = state.pictures.gallery {
            switch state.galleryItem(at: state.galleryIndex) {
            case let item?: (state.pictures.chosen, state.pictures.galleryBelow) = (item.url, gallery)
            case nil: return say("no image to look at yet", .dim, &state, now)
            }
        } else if state.focus != .preview {
            // Another task's picture would be taken for that of the row.
            if let name = state.nameWithoutPicture { return say("no picture of \(name)", .dim, &state, now) }
            state.pictures.chosen = state.previewSubject?.url
        }
        enterPictures(&state)
        state.pictures.gallery = nil
    }

    static func openTile(_ state: inout AppState, _ now: Timestamp) {
        // There is no whole image to make large yet: what its task does is more to see.
        if state.pictures.gallery != nil, case .row(let row)? = state.galleryItem(at: state.galleryIndex) {
            return openDetail(of: row.task, &state)
        }
        openPicture(&state, now)
    }

    static func openGallery(_ state: inout AppState) {
        if state.pictures.gallery != nil { return leavePictures(&state) }
        enterPictures(&state)
        state.pictures.gallery = PictureState.Gallery(selected: state.pictures.chosen)
        state.pictures.galleryBelow = nil
    }

    /// Holds the first tile of the gallery once something is done with it: until then the newest has its place.
    ///
    /// What is refused does nothing with it, and keys of other panels are for their rows; only a picture is opened
    /// from everywhere.
    static func holdTile(for action: KeyAction, _ state: inout AppState) {
        guard let gallery = state.pictures.gallery, gallery.selected == nil,
            state.focus == .preview || action == .openPicture, let item = state.galleryItem(at: state.galleryIndex)
        else { return }
        let isDone =
            switch action {
            case .openPicture, .openTile, .openDetail, .focus(.detail), .copyURL: true
            case .openFile, .copyPath: hasFiles(state)
            case .dropImage: if case .image = item { true } else { false }
            default: false
            }
        if isDone { state.pictures.gallery?.selected = item.url }
    }

    /// Where the pictures are.
    static func place(of state: AppState) -> PictureState.Place {
        PictureState.Place(
            gallery: state.pictures.gallery,
            galleryBelow: state.pictures.galleryBelow,
            chosen: state.pictures.chosen,
            origin: state.pictures.origin,
            isMaximised: state.isMaximised
        )
    }

    /// The picture or the gallery that the detail was opened from, as it was, and what it was opened from itself.
    static func reopen(_ place: PictureState.Place, _ state: inout AppState) {
        (state.focus, state.isMaximised) = (.preview, place.isMaximised)
        (state.pictures.gallery, state.pictures.galleryBelow) = (place.gallery, place.galleryBelow)
        (state.pictures.chosen, state.pictures.origin) = (place.chosen, place.origin)
    }

    private static func enterPictures(_ state: inout AppState) {
        if state.focus != .preview { state.pictures.origin = state.focus }
        state.focus = .preview
        state.isMaximised = true
    }

    /// Goes a step back: from a picture to the gallery that it was opened from, else to where the pictures were
    /// opened.
    static func leavePictures(_ state: inout AppState) {
        state.pictures.zoom = .fit
        if state.pictures.gallery == nil, var gallery = state.pictures.galleryBelow {
            // The tile of what was seen last, which may be another picture than the one that was opened.
            gallery.selected = state.pictures.chosen ?? gallery.selected
            (state.pictures.gallery, state.pictures.galleryBelow, state.pictures.chosen) = (gallery, nil, nil)
            return
        }
        state.pictures.gallery = nil
        state.pictures.chosen = nil
        state.isMaximised = false
        if state.focus == .preview { state.focus = state.pictures.origin }
    }

    /// Takes the pictures a step back for the key that leads back: a part is made whole first.
    ///
    /// - Returns: Whether they are still what is looked at.
    static func stepBackInPictures(_ state: inout AppState) -> Bool {
        guard state.focus == .preview else { return false }
        if state.pictures.gallery == nil, state.pictures.zoom.factor > 1 {
            state.pictures.zoom = .fit
            return true
        }
        leavePictures(&state)
        return state.pictures.gallery != nil
    }

    static func zoomPicture(_ state: inout AppState, _ now: Timestamp) {
        guard state.pictures.gallery == nil else { return }
        let factor = state.pictures.zoom.factor
        // What is not seen would be found cut, once it comes.
        guard factor > 1 || state.previewCut() != nil else {
            return say("there is no picture to zoom", .dim, &state, now)
        }
        state.pictures.zoom = factor >= 4 ? .fit : CellImage.Zoom(factor: factor * 2)
    }

    /// The picture before or after, newest first as in the gallery.
    static func turnPicture(_ step: Int, _ state: inout AppState) {
        let entries = state.pictures.entries
        guard !entries.isEmpty else { return }
        let url = state.pictures.chosen ?? state.pictures.subject?.url
        let index = entries.lastIndex { $0.url == url } ?? entries.count - 1
        state.pictures.chosen = entries[min(max(0, index - step), entries.count - 1)].url
    }

    static func movePicture(_ action: KeyAction, _ state: inout AppState) {
        switch action {
        case .left: movePicture(right: -1, down: 0, &state)
        case .right: movePicture(right: 1, down: 0, &state)
        case .up: movePicture(right: 0, down: -1, &state)
        case .down: movePicture(right: 0, down: 1, &state)
        case .pageUp, .halfUp: movePicture(right: 0, down: -3, &state)
        case .pageDown, .halfDown: movePicture(right: 0, down: 3, &state)
        case .first where state.pictures.gallery != nil: movePicture(right: -state.galleryCount, down: 0, &state)
        case .last where state.pictures.gallery != nil: movePicture(right: state.galleryCount, down: 0, &state)
        case .first: movePicture(right: 0, down: -10_000, &state)
        case .last: movePicture(right: 0, down: 10_000, &state)
        default: break
        }
    }

    /// Arrows in the preview: the selected tile, or the part of the picture that is seen.
    static func movePicture(right: Int, down: Int, _ state: inout AppState) {
        if state.pictures.gallery != nil {
            guard let rect = state.layout.panels[.preview] else { return }
            let count = state.galleryCount
            guard count > 0 else { return }
            let columns = GalleryView.Grid(rect).columns
            let (row, lastRow) = (state.galleryIndex / columns, (count - 1) / columns)
            // At the edge up and down stay, and don't become left and right.
            let rows = min(max(0, row + down), lastRow) - row
            let index = state.galleryIndex + right + rows * columns
            let selected = state.galleryItem(at: min(max(0, index), count - 1))?.url
            state.pictures.gallery?.selected = selected
        } else if state.pictures.zoom.factor > 1 {
            let step = 250 / state.pictures.zoom.factor
            let edge = 500 / state.pictures.zoom.factor
            state.pictures.zoom.x = min(max(edge, state.pictures.zoom.x + right * step), 1_000 - edge)
            state.pictures.zoom.y = min(max(edge, state.pictures.zoom.y + down * step), 1_000 - edge)
        } else {
            turnPicture(right + down, &state)
        }
    }
}
