internal import SluiceCore

/// The gallery where there is no room for tiles: the names around the selected one, and its picture.
extension GalleryView {
    static func drawList(
        of grid: Grid,
        showing selected: AppState.GalleryItem,
        _ state: AppState,
        in rect: Rect,
        _ painter: inout Painter
    ) {
        let place = grid.place(0)
        picture(selected, state, of: grid, in: place, or: card(selected, state), &painter)
        let (first, index) = (state.pictures.gallery?.top ?? 0, state.galleryIndex)
        let x = place.right + 3
        for (row, item) in state.galleryItems(in: grid).enumerated() {
            let line = Rect(x: x, y: place.y + row, width: rect.right - 2 - x, height: 1)
            painter.noteTarget(.tile(first + row), line)
            label(item, isSelected: first + row == index, in: line, &painter)
        }
    }

    /// What stands in the place of a picture, in few cells: name and progress stand beside it.
    private static func card(_ item: AppState.GalleryItem, _ state: AppState) -> [StyledText] {
        switch item {
        case .row(let row):
            switch row.state {
            case .active: return [.bold("active", .run)]
            case .waiting: return [.bold("waiting", .wait)]
            case .paused: return [.bold("paused", .wait)]
            case .queued: return [.dim("queued")]
            }
        case .image(let entry):
            guard case .failed? = state.pictures.tiles[entry.url]?.content else { return [.dim("…")] }
            return [.bold("✗", .bad), .dim("no image")]
        }
    }

    /// Figures of the selected one without its name, which stands in the list.
    static func listNote(_ item: AppState.GalleryItem, width: Int) -> StyledText {
        switch item {
        case .row(let row): row.state == .active ? row.pace() : StyledText()
        case .image(let entry):
            PreviewView.facts(entry.info).width <= width ? PreviewView.facts(entry.info) : StyledText()
        }
    }
}
