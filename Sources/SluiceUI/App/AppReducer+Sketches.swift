internal import SluiceCore

/// What arrives of images while they are loaded.
extension AppReducer {
    private static let interval: Duration = .milliseconds(250)
    /// Bytes a second for all tiles together: four of them anew take a good second.
    private static let tileRate = 24_000

    static func take(sketch: PictureSketch, _ state: inout AppState) {
        // In the place of one of which nothing is seen, words say more: how far it is, or what stood there before.
        guard state.pictures.observed.contains(sketch.task), !sketch.isBlank else { return }
        if state.pictures.gallery == nil {
            state.pictures.pendingSketch = sketch
        } else {
            state.pictures.tileSketches.take(sketch)
        }
    }

    /// Says which tasks are looked at.
    static func observe(_ tasks: [TaskID], _ state: inout AppState, _ change: inout Change) {
        guard tasks != state.pictures.observed else { return }
        state.pictures.observed = tasks
        change.effects.append(.pipeline(.observe(tasks)))
    }

    /// Shows the newest sketch, as often as its changes are worth their bytes.
    static func showSketch(_ state: inout AppState, _ change: inout Change, _ now: Timestamp) {
        guard let sketch = state.pictures.pendingSketch, state.pictures.sketchDue.map({ $0 <= now }) ?? true else {
            return
        }
        let before = state.previewCut()
        (state.pictures.sketch, state.pictures.pendingSketch) = (sketch, nil)
        state.pictures.sketchSerial += 1
        let bytes = state.previewCut().map { state.changedCells(from: before, to: $0) * cellBytes } ?? 0
        let rate = state.focus == .preview ? focusedRate : quietRate
        state.pictures.sketchDue = now + pause(bytes: bytes, rate: rate)
        change.draw(.data)
    }

    /// Shows the newest sketches of all tiles at once, as often as their changes are worth their bytes.
    static func showTileSketches(
        isGallery: Bool,
        _ state: inout AppState,
        _ change: inout Change,
        _ now: Timestamp
    ) {
        guard isGallery, let grid = state.galleryGrid else {
            // Of a task that is watched all the while nothing comes again: who goes back finds its tile as it was.
            if state.pictures.galleryBelow == nil, !state.pictures.tileSketches.isEmpty {
                state.pictures.tileSketches = TileSketches()
            }
            return
        }
        state.pictures.tileSketches.keep(only: state.sketchedTiles)
        guard state.pictures.tileSketches.isDue(now) else { return }
        let old = state.pictures.tileSketches.shown
        let changed = state.pictures.tileSketches.show(numberedFrom: &state.pictures.sketchSerial)
        let cells = changed.reduce(0) { sum, task in
            func cut(_ sketch: TileSketches.Sketch) -> (CutPictures.Key, Bitmap) {
                (grid.key(sketch), sketch.bitmap)
            }
            guard let new = state.pictures.tileSketches.shown[task] else { return sum }
            return sum + state.changedCells(from: old[task].map(cut), to: cut(new))
        }
        state.pictures.tileSketches.due = now + pause(bytes: cells * cellBytes, rate: tileRate)
        change.draw(.data)
    }

    private static func pause(bytes: Int, rate: Int) -> Duration {
        max(interval, .milliseconds(Int64(bytes) * 1_000 / Int64(rate)))
    }
}
