internal import SluiceCore

extension AppState {
    /// Whether an animation may move: somebody can see it, and either looks at it or the screen moves anyway.
    var mayPlay: Bool {
        guard terminal.isFocused, mode == .lists || mode == .prompt else { return false }
        return focus == .preview || !snapshot.active.isEmpty
    }

    /// What the preview should be about.
    ///
    /// What was chosen in it, else the row that somebody selected, else the image that was finished last, else
    /// what runs first.
    var previewSubject: PictureState.Subject? {
        if focus == .preview, let chosen = pictures.chosen {
            // What was chosen may fail meanwhile: then there is no picture, and no other task's stands for it.
            return subject(of: chosen) ?? news.ended.earlierPicture(of: chosen).map(subject)
                ?? subjectWithoutPicture(chosen, EventSentence.name(chosen))
        }
        return selectedSubject ?? pictures.entries.last.map(subject) ?? snapshot.active.first.map(subject)
    }

    /// The URL of the picture that is looked at: of the selected tile, or of the large one.
    var picturedURL: String? {
        pictures.gallery == nil ? previewSubject?.url : galleryItem(at: galleryIndex)?.url
    }

    /// How the task ended that brought that picture; `nil` while it is loaded.
    var picturedEnd: TaskEnd? {
        if pictures.gallery != nil {
            guard case .image(let entry)? = galleryItem(at: galleryIndex) else { return nil }
            return record(of: entry.task)?.end
        }
        guard let subject = previewSubject, subject.live == nil else { return nil }
        return pictures.entry(of: subject.url).flatMap { record(of: $0.task)?.end }
            ?? news.ended.earlierPicture(of: subject.url)?.end
    }

    /// The name of the row that a key for its picture is for, if it has none and will have none.
    var nameWithoutPicture: String? {
        if let subject = selectedSubject { return subject.hasPicture ? nil : subject.name }
        // Beside the events the preview shows what was finished last, which is not what the selected one is about.
        guard focus == .events, looksAtRows else { return nil }
        return eventURL.map { EventSentence.name($0) }
    }

    /// The URL of the task that the selected event is about.
    private var eventURL: String? { eventRow(at: eventRowIndex)?.task.flatMap { news.records[$0]?.url } }

    /// Whether the preview has all the room that there is for it: to open it again would change nothing.
    var isPreviewFull: Bool { isMaximised || layout.panels.count == 1 }

    /// Whether there is another picture to turn to.
    var hasOtherPicture: Bool {
        let shown = pictures.chosen ?? pictures.subject?.url
        return pictures.entries.contains { $0.url != shown }
    }

    /// Whether somebody chose what the preview shows.
    var hasChosenPicture: Bool { (focus == .preview && pictures.chosen != nil) || selectedSubject != nil }

    private var selectedSubject: PictureState.Subject? {
        switch focus {
        case .active, .queued: looksAtRows ? selectedRow.map(subject) : nil
        case .finished: selectedEnded.map { subject(of: $0.end.url) ?? subject($0) }
        case .events: looksAtRows ? eventSubject : nil
        // An answer from disk is a task of its own: its image may have come with an earlier one.
        case .detail:
            inspectedTask.flatMap(subject)
                ?? inspectedURL.map { url in
                    subject(of: url) ?? news.ended.earlierPicture(of: url).map(subject)
                        ?? subjectWithoutPicture(url, EventSentence.name(url))
                }
        case .failed: selectedFailed.map { subject(of: $0.url) ?? subjectWithoutPicture($0.url, $0.name) }
        case .cache, .network, .preview: nil
        }
    }

    private var eventSubject: PictureState.Subject? {
        // As for the detail: the image may have come with an earlier task.
        eventRow(at: eventRowIndex)?.task.flatMap(subject) ?? eventURL.flatMap { subject(of: $0) }
    }

    /// Of a row that brought no image: the preview says so, and shows no other row's.
    private func subjectWithoutPicture(_ url: String, _ name: String) -> PictureState.Subject {
        PictureState.Subject(url: url, name: name, live: nil, hasPicture: false)
    }

    /// Of what an earlier session saved only the name says whether it is one; the file itself is asked then.
    private func subject(_ ended: EndedTask) -> PictureState.Subject {
        guard ended.isEarlier, ended.isNamedAsPicture else { return subjectWithoutPicture(ended.end.url, ended.name) }
        return PictureState.Subject(url: ended.end.url, name: ended.name, live: nil)
    }

    private func subject(_ task: TaskID) -> PictureState.Subject? {
        activeRows.first { $0.task == task }.map(subject) ?? pictures.entries.last { $0.task == task }.map(subject)
    }

    private func subject(of url: String) -> PictureState.Subject? {
        if let entry = pictures.entry(of: url) { return subject(entry) }
        return (activeRows + snapshot.queued).first { $0.url == url }.map(subject)
    }

    private func subject(_ row: PipelineSnapshot.Row) -> PictureState.Subject {
        PictureState.Subject(url: row.url, name: row.name, live: row.task)
    }

    private func subject(_ entry: PictureState.Entry) -> PictureState.Subject {
        PictureState.Subject(url: entry.url, name: entry.name, live: nil)
    }

    // MARK: Gallery

    /// A tile: a task that lives, or an image that is finished.
    enum GalleryItem {
        case row(PipelineSnapshot.Row)
        case image(PictureState.Entry)

        var url: String {
            switch self {
            case .row(let row): row.url
            case .image(let entry): entry.url
            }
        }

        var name: String {
            switch self {
            case .row(let row): row.name
            case .image(let entry): entry.name
            }
        }
    }

    /// What lives and may become an image.
    private var galleryRows: [PipelineSnapshot.Row] { activeRows.filter { !$0.isKnownNoImage } }

    var galleryCount: Int { galleryRows.count + pictures.entries.count }

    /// What lives comes first, then what was finished, newest first.
    func galleryItem(at index: Int) -> GalleryItem? {
        let rows = galleryRows
        if rows.indices.contains(index) { return .row(rows[index]) }
        let place = pictures.entries.count - 1 - (index - rows.count)
        return pictures.entries.indices.contains(place) ? .image(pictures.entries[place]) : nil
    }

    /// The place of the selected tile.
    var galleryIndex: Int {
        guard let selected = pictures.gallery?.selected else { return 0 }
        let rows = galleryRows
        if let index = pictures.entries.lastIndex(where: { $0.url == selected }) {
            return rows.count + pictures.entries.count - 1 - index
        }
        return rows.firstIndex { $0.url == selected } ?? 0
    }

    /// Whether the selected tile is that of a task, of whose picture there is a part at most.
    var hasTileOfTask: Bool {
        guard pictures.gallery != nil, case .row? = galleryItem(at: galleryIndex) else { return false }
        return true
    }

    /// The tiles that are seen.
    func galleryItems(in grid: GalleryView.Grid) -> [GalleryItem] {
        let first = (pictures.gallery?.top ?? 0) * grid.columns
        return (first..<first + grid.count).compactMap(galleryItem)
    }

    /// Those of the tiles in sight that have a place for a picture.
    func picturedItems(in grid: GalleryView.Grid) -> [GalleryItem] {
        grid.isList ? [galleryItem(at: galleryIndex)].compactMap(\.self) : galleryItems(in: grid)
    }

    /// Where tiles stand; `nil` while there is no gallery.
    var galleryGrid: GalleryView.Grid? {
        pictures.gallery == nil ? nil : layout.panels[.preview].map(GalleryView.Grid.init)
    }

    private var seenItems: [GalleryItem] { galleryGrid.map { picturedItems(in: $0) } ?? [] }

    /// Tasks whose tiles are seen and that load something.
    var liveTiles: [TaskID] {
        seenItems.compactMap { item in
            if case .row(let row) = item, row.state == .active { row.task } else { nil }
        }
    }

    /// Tasks whose tiles are seen and have no picture yet, but may have a part of one.
    var sketchedTiles: Set<TaskID> {
        Set(
            seenItems.compactMap { item in
                switch item {
                case .row(let row): row.task
                case .image(let entry):
                    if case .placeholder? = pictures.tiles[entry.url]?.content { entry.task } else { nil }
                }
            }
        )
    }

    // MARK: Cutting

    /// Where the preview's picture stands, in cells.
    var previewPlace: Rect? {
        guard pictures.gallery == nil, let rect = layout.panels[.preview] else { return nil }
        let inner = Rect(x: rect.x + 1, y: rect.y + 1, width: rect.width - 2, height: rect.height - 2)
        return inner.width > 0 && inner.height > 0 ? inner : nil
    }

    /// The key and the pixels of what the preview shows.
    func previewCut(frame: Int? = nil) -> (key: CutPictures.Key, bitmap: Bitmap)? {
        guard let place = previewPlace else { return nil }
        func key(_ picture: Int, _ frame: Int) -> CutPictures.Key {
            CutPictures.Key(
                picture: picture,
                frame: frame,
                width: place.width,
                height: place.height,
                zoom: pictures.zoom
            )
        }
        if let live = pictures.subject?.live {
            guard let sketch = pictures.sketch, sketch.task == live else { return nil }
            return (key(-pictures.sketchSerial, 0), sketch.bitmap)
        }
        guard case .picture(let picture) = pictures.preview.content else { return nil }
        let index = frame ?? (pictures.player.picture == picture.id ? pictures.player.index : 0)
        let shown = min(index, picture.frames.count - 1)
        return (key(picture.id, shown), picture.frames[shown].bitmap)
    }

    /// The key and the pixels of what a tile shows: its picture, else what arrived of it.
    ///
    /// What is loaded anew shows the new one as soon as something of it is there.
    func tileCut(_ item: GalleryItem, in grid: GalleryView.Grid) -> (key: CutPictures.Key, bitmap: Bitmap)? {
        let content = pictures.tiles[item.url]?.content
        let task: TaskID
        switch item {
        case .row(let row): task = row.task
        case .image(let entry):
            task = entry.task
            if case .picture(let picture)? = content { return (grid.key(picture), picture.frames[0].bitmap) }
        }
        if let sketch = pictures.tileSketches.shown[task] { return (grid.key(sketch), sketch.bitmap) }
        guard case .picture(let picture)? = content else { return nil }
        return (grid.key(picture), picture.frames[0].bitmap)
    }

    /// Cells of the preview that differ between two frames.
    func changedCells(from old: Int, to new: Int) -> Int {
        guard let after = previewCut(frame: new) else { return 0 }
        return changedCells(from: previewCut(frame: old), to: after)
    }

    /// Cells that differ between two cuts; all of the new one, if there was none.
    func changedCells(
        from before: (key: CutPictures.Key, bitmap: Bitmap)?,
        to after: (key: CutPictures.Key, bitmap: Bitmap)
    ) -> Int {
        func image(_ cut: (key: CutPictures.Key, bitmap: Bitmap)) -> CellImage {
            pictures.cut[cut.key] ?? CellImage(cut.bitmap, cut.key)
        }
        let new = image(after)
        return before.map { new.changedCells(since: image($0)) } ?? new.width * new.height
    }

    /// Whether the terminal draws the preview: a still picture that has arrived.
    private var isDrawnByTerminal: Bool {
        guard pictures.cellSize != nil, pictures.subject?.live == nil, let place = previewPlace,
            case .picture(let picture) = pictures.preview.content
        else { return false }
        return picture.frames.count == 1 && max(place.width, place.height) <= PixelPicture.limit
    }

    /// Whether something may lie over the panels.
    private var hasOverlay: Bool {
        switch mode {
        case .help, .question, .event: true
        case .lists, .prompt, .filter, .sortMenu, .trust, .paste: false
        }
    }

    /// Makes the pixels for a terminal that draws them, once for each picture and place.
    private mutating func preparePixels(_ key: CutPictures.Key, _ bitmap: Bitmap) {
        guard pictures.pixelKey != key, let cell = pictures.cellSize else { return }
        let part = key.zoom.factor > 1 ? CellImage.cut(bitmap, key.zoom) : bitmap
        let box = (width: key.width * cell.width, height: key.height * cell.height)
        // Zoomed parts fill the place; the terminal makes them larger.
        let growth = max(1, min(box.width / part.width, box.height / part.height))
        let scaled = Resampler.thumbnail(part, width: box.width, height: box.height)
        let factor = key.zoom.factor > 1 ? growth : 1
        let serial = (pictures.pixels?.serial ?? pictures.pixelSerial) + 1
        pictures.pixelSerial = serial
        pictures.pixelKey = key
        pictures.pixels = PixelPicture(
            number: PixelPicture.numbers[serial % PixelPicture.numbers.count],
            serial: serial,
            columns: min(key.width, (scaled.width * factor + cell.width - 1) / cell.width),
            rows: min(key.height, (scaled.height * factor + cell.height - 1) / cell.height),
            bitmap: scaled
        )
    }

    /// Cuts what the next frame shows.
    mutating func cutPictures() {
        if let (key, bitmap) = previewCut(), isDrawnByTerminal {
            preparePixels(key, bitmap)
            // The terminal keeps its picture, but can't dim it.
            if hasOverlay { pictures.cut.prepare(key, bitmap) }
        } else {
            (pictures.pixels, pictures.pixelKey) = (nil, nil)
            if let (key, bitmap) = previewCut() { pictures.cut.prepare(key, bitmap) }
        }
        if let grid = galleryGrid {
            for item in picturedItems(in: grid) {
                guard let (key, bitmap) = tileCut(item, in: grid) else { continue }
                pictures.cut.prepare(key, bitmap)
            }
        }
        pictures.cut.sweep()
    }
}

extension PipelineSnapshot.Row {
    /// Whether its answer says that it will be no image.
    ///
    /// Servers are often wrong of it: a name that is a picture's counts for more, and where the type stands for any
    /// bytes, so does one without an ending.
    var isKnownNoImage: Bool {
        guard let type = ResponseHead.mediaType(of: contentType), !type.hasPrefix("image/") else { return false }
        if EndedTask.namesPicture(name) { return false }
        return !type.hasSuffix("/octet-stream") || name.contains(".")
    }
}
