internal import SluiceCore

/// All images as a grid of small pictures; what has none yet says why.
///
/// Where not even low tiles fit, their names stand there, with the picture of the selected one beside them.
enum GalleryView {
    /// Where tiles stand.
    struct Grid: Equatable, Sendable {
        /// Of a tile; lower ones, down to the least, let a second row fit.
        private static let (width, height, leastHeight) = (22, 8, 6)
        /// Columns of a place that has room for one tile.
        static let leastWidth = width + 4
        let columns: Int
        let rows: Int
        /// Cells of a tile, without its name.
        let tileHeight: Int
        let tileWidth: Int
        /// Whether there is room for names only, and for one picture.
        let isList: Bool
        private let left: Int
        private let top: Int

        init(_ rect: Rect) {
            let (width, height) = (rect.width - 2, rect.height - 2)
            isList = height < Self.leastHeight + 2
            if isList {
                (columns, rows, tileHeight) = (1, max(1, height), max(1, height))
                // Three to two, which is between photographs and screens; wide enough for what stands in its place.
                tileWidth = min(Self.width, max(9, tileHeight * 3))
                (left, top) = (rect.x + 2, rect.y + 1)
                return
            }
            columns = max(1, (width - 1) / (Self.width + 1))
            let whole = height / (Self.height + 2)
            let halved = height / 2 - 2
            (rows, tileHeight) =
                whole < 2 && halved >= Self.leastHeight ? (2, halved) : (max(1, whole), min(Self.height, height - 2))
            tileWidth = Self.width
            left = rect.x + 1 + max(1, (width - columns * (Self.width + 1) + 1) / 2)
            top = rect.y + 2
        }

        func key(_ picture: Picture) -> CutPictures.Key { key(picture.id) }

        func key(_ sketch: TileSketches.Sketch) -> CutPictures.Key { key(-sketch.serial) }

        private func key(_ number: Int) -> CutPictures.Key {
            CutPictures.Key(picture: number, frame: 0, width: tileWidth, height: tileHeight, zoom: .fit)
        }

        /// Tiles that are seen.
        var count: Int { columns * rows }

        /// The picture of the tile at a place, from 0; of a list, the one picture.
        func place(_ index: Int) -> Rect {
            guard !isList else { return Rect(x: left, y: top, width: tileWidth, height: tileHeight) }
            return Rect(
                x: left + index % columns * (Self.width + 1),
                y: top + index / columns * (tileHeight + 2),
                width: Self.width,
                height: tileHeight
            )
        }

        /// The first row of tiles, so that the one at `index` is seen.
        func top(showing index: Int, from top: Int) -> Int {
            let row = index / columns
            return row < top ? row : row >= top + rows ? row - rows + 1 : top
        }
    }

    static func draw(_ state: AppState, in rect: Rect, now: Timestamp, _ painter: inout Painter) {
        let index = state.galleryIndex
        let item = state.galleryItem(at: index)
        let memory = state.snapshot.memory
        let (used, capacity) = (Format.bytes(memory.usage), Format.limit(memory.capacity))
        let unit = used.unit == capacity.unit ? "" : " \(used.unit)"
        let facts =
            StyledText.figure("\(memory.count)") + .dim(" in memory · ") + .figure(used.number)
            + .dim(memory.capacity > 0 ? "\(unit) of \(capacity.text)" : " \(used.unit) · no limit")
        var edges = Painter.Edges(state.digit(.preview), "gallery", facts: [facts], feet: [])
        let place = StyledText.plain("\(state.galleryCount == 0 ? 0 : index + 1)") + .dim(" of \(state.galleryCount)")
        edges.feet = [place]
        let grid = Grid(rect)
        if let item {
            // Corners, and what stands between the note and the place beside it.
            let width = rect.width - 9 - place.width
            edges.note = grid.isList ? listNote(item, width: width) : note(item, width: width)
        }
        edges.isFocused = state.keyPanel == .preview
        painter.box(rect, edges)
        guard rect.height >= 3, rect.width >= Grid.leastWidth else {
            return PreviewView.card([.dim("no room for a gallery")], in: rect.inset, &painter)
        }
        guard let item else {
            return PreviewView.card([.dim("no image yet")], in: rect.inset, &painter)
        }
        if grid.isList { return drawList(of: grid, showing: item, state, in: rect, &painter) }
        let first = (state.pictures.gallery?.top ?? 0) * grid.columns
        for (place, item) in state.galleryItems(in: grid).enumerated() {
            let tile = grid.place(place)
            let named = Rect(x: tile.x, y: tile.y, width: tile.width, height: tile.height + 1)
            painter.noteTarget(.tile(first + place), named)
            draw(item, isSelected: first + place == index, state, at: place, of: grid, now: now, &painter)
        }
    }

    private static func draw(
        _ item: AppState.GalleryItem,
        isSelected: Bool,
        _ state: AppState,
        at index: Int,
        of grid: Grid,
        now: Timestamp,
        _ painter: inout Painter
    ) {
        let place = grid.place(index)
        if isSelected { frame(place, &painter) }
        picture(item, state, of: grid, in: place, or: lines(item, state, now: now), &painter)
        label(
            item,
            isSelected: isSelected,
            in: Rect(x: place.x, y: place.bottom, width: place.width, height: 1),
            &painter
        )
    }

    /// What there is of its picture, or lines on an empty ground.
    static func picture(
        _ item: AppState.GalleryItem,
        _ state: AppState,
        of grid: Grid,
        in place: Rect,
        or lines: @autoclosure () -> [StyledText],
        _ painter: inout Painter
    ) {
        let image = state.tileCut(item, in: grid).flatMap { state.pictures.cut[$0.key] }
        // Of eight colours it would be black, which is no ground but paint.
        if image?.isSketch ?? true, painter.glyphs.depth != .ansi8 {
            for y in place.y..<place.bottom { painter.ground(.track, x: place.x, y: y, width: place.width) }
        }
        if let image { image.draw(in: place, &painter) } else { PreviewView.card(lines(), in: place, &painter) }
    }

    /// Sign, name and progress; the mark of the selected one stands before it.
    static func label(
        _ item: AppState.GalleryItem,
        isSelected: Bool,
        in row: Rect,
        _ painter: inout Painter
    ) {
        if isSelected {
            painter.ground(.select, x: row.x, y: row.y, width: row.width)
            painter.put(StyledText("▌", .focus), x: row.x - 1, y: row.y)
        }
        let (mark, tail) = signs(item)
        let end = painter.put(mark + .plain(" "), x: row.x, y: row.y, limit: row.width)
        let room = row.right - end - (tail.isEmpty ? 0 : tail.width + 1)
        let name = Elision.middle(VisibleText.visible(item.name, limit: 200), max(1, room))
        painter.put(isSelected ? .figure(name) : .plain(name), x: end, y: row.y, limit: room)
        if !tail.isEmpty { painter.put(tail, endingAt: row.right, y: row.y) }
    }

    private static func frame(_ place: Rect, _ painter: inout Painter) {
        let line = String(repeating: "─", count: place.width)
        painter.put(StyledText("╭\(line)╮", .focus), x: place.x - 1, y: place.y - 1)
        for y in place.y..<place.bottom {
            painter.put(StyledText("│", .focus), x: place.x - 1, y: y)
            painter.put(StyledText("│", .focus), x: place.right, y: y)
        }
    }

    /// What a tile without a picture says.
    private static func lines(_ item: AppState.GalleryItem, _ state: AppState, now: Timestamp) -> [StyledText] {
        switch item {
        case .row(let row): return PreviewView.row(row, now: now)
        case .image(let entry):
            guard case .failed? = state.pictures.tiles[entry.url]?.content else { return [.dim("…")] }
            return [.bold("✗ no picture", .bad), .dim("neither in memory"), .dim("nor as a file")]
        }
    }

    static func signs(_ item: AppState.GalleryItem) -> (mark: StyledText, tail: StyledText) {
        switch item {
        case .image: return (StyledText("✓", .ok), StyledText())
        case .row(let row):
            switch row.state {
            case .active:
                guard let expected = row.expected, expected > 0 else { return (StyledText("↓", .run), StyledText()) }
                return (StyledText("↓", .run), .plain("\(min(100, row.received * 100 / expected))") + .dim(" %"))
            case .waiting: return (StyledText("↻", .wait), StyledText())
            case .paused: return (StyledText("‖", .wait), StyledText())
            case .queued: return (StyledText("·", .dim), StyledText())
            }
        }
    }

    /// Name and figures of the selected one, which stand in the foot.
    private static func note(_ item: AppState.GalleryItem, width: Int) -> StyledText {
        let name = VisibleText.visible(item.name, limit: 200)
        // The name goes before the last figure, and before the others only where too little would be left of it.
        let (choices, whole) = (figures(of: item), TextWidth.columns(of: name))
        let least = min(whole, max(10, width / 3))
        let shown =
            choices.first { whole + $0.width <= width } ?? choices.last { least + $0.width <= width } ?? StyledText()
        return StyledText.figure(Elision.middle(name, max(10, width - shown.width))) + shown
    }

    /// What stands behind its name, longest first.
    private static func figures(of item: AppState.GalleryItem) -> [StyledText] {
        guard case .image(let entry) = item else { return [] }
        var facts = StyledText.dim(" · ") + PreviewView.facts(entry.info)
        if entry.info.frames > 1 { facts += .dim(" · ") + .plain("\(entry.info.frames)") + .dim(" frames") }
        let size = Format.bytes(entry.bytes)
        let bytes = StyledText.dim(" · ") + .plain(size.number) + .dim(" \(size.unit)\(entry.isSaved ? " saved" : "")")
        return [facts + bytes, facts]
    }
}

extension Rect {
    /// Without its frame.
    fileprivate var inset: Rect { Rect(x: x + 1, y: y + 1, width: width - 2, height: height - 2) }
}
