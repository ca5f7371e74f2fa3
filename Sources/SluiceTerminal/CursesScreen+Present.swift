internal import CNcurses
internal import Glibc
public import SluiceUI

extension CursesScreen {
    /// Sends what differs from the last frame; nothing, if nothing does.
    public mutating func present(_ frame: Frame) {
        let last = shown
        let changes = changes(of: frame.canvas, since: last?.canvas)
        let old = sentPicture
        if frame.picture != old, let picture = frame.picture { device.write(PixelGraphics.show(picture)) }
        if last == nil || !changes.isEmpty || frame.cursor != last?.cursor {
            device.write(modes.frameStart)
            if mustClear {
                sluice_repaint()
                unsafe werase(sluice_window())
            }
            draw(changes, of: frame.canvas)
            place(frame.cursor, after: last)
            unsafe wnoutrefresh(sluice_window())
            doupdate()
            device.write(modes.frameEnd)
        }
        // Only now no cell stands for it any more.
        if let old, old.number != frame.picture?.number { device.write(PixelGraphics.remove(old.number)) }
        sentPicture = frame.picture
        if let title = frame.title, title != last?.title { device.write(modes.title(title)) }
        if frame.showsActivity != (last?.showsActivity ?? false) { device.write(modes.progress(frame.showsActivity)) }
        shown = frame
        mustClear = false
    }

    private func changes(of canvas: Canvas, since last: Canvas?) -> [Canvas.Change] {
        canvas.changes(since: last).filter { $0.y < size.height }
    }

    private mutating func draw(_ changes: [Canvas.Change], of canvas: Canvas) {
        if drawAll(changes, of: canvas) { return }
        // All pair numbers are taken: those of the cells that are gone come free again.
        pairs.reset()
        _ = drawAll(self.changes(of: canvas, since: nil), of: canvas)
    }

    /// - Returns: Whether every colour could be had; else the cells without one are plain.
    private mutating func drawAll(_ changes: [Canvas.Change], of canvas: Canvas) -> Bool {
        var isComplete = true
        for change in changes { isComplete = draw(change, of: canvas) && isComplete }
        return isComplete
    }

    private mutating func draw(_ change: Canvas.Change, of canvas: Canvas) -> Bool {
        let row = canvas.cells(inRow: change.y)
        let end = row.startIndex + change.columns.upperBound
        var cells: [cchar_t] = []
        cells.reserveCapacity(change.columns.count)
        var isComplete = true
        var last: (style: Style, look: Look)?
        var index = row.startIndex + change.columns.lowerBound
        while index < end {
            let cell = row[index]
            let isWide = !cell.text.isContinuation && index + 1 < row.endIndex && row[index + 1].text.isContinuation
            let look = last.flatMap { $0.style == cell.style ? $0.look : nil } ?? look(of: cell.style)
            isComplete = isComplete && look.isExact
            last = (cell.style, look)
            let text = CellText(cell.text, columns: isWide ? 2 : 1) { Int(wcwidth(wchar_t(bitPattern: $0))) }
            cells.append(look.cell(text))
            if text.needsBlank { cells.append(look.cell(.blank)) }
            index += isWide ? 2 : 1
        }
        let (x, y) = (Int32(change.columns.lowerBound), Int32(change.y))
        _ = unsafe cells.withUnsafeBufferPointer {
            unsafe mvwadd_wchnstr(sluice_window(), y, x, $0.baseAddress, Int32($0.count))
        }
        return isComplete
    }

    /// Where it can't be hidden, it stands where the least is read: below everything.
    private mutating func place(_ cursor: Frame.Cursor?, after last: Frame?) {
        if last == nil || (cursor == nil) != (last?.cursor == nil) {
            let isDone = curs_set(cursor == nil ? 0 : 1) != ERR
            if cursor == nil { hidesCursor = isDone }
        }
        let parked = hidesCursor ? nil : Frame.Cursor(x: 0, y: size.height - 1)
        unsafe leaveok(sluice_window(), cursor == nil && parked == nil)
        guard let place = cursor ?? parked else { return }
        unsafe wmove(sluice_window(), Int32(clamping: place.y), Int32(clamping: place.x))
    }

    private mutating func look(of style: Style) -> Look {
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= sluice_bold() }
        if style.attributes.contains(.dim) { attributes |= sluice_dim() }
        if style.attributes.contains(.reverse) { attributes |= sluice_reverse() }
        if style.attributes.contains(.underline) { attributes |= sluice_underline() }
        let (pair, isBold) = pairs.resolve(style)
        if isBold { attributes |= sluice_bold() }
        switch pairs.number(of: pair) {
        case .known(let number): return Look(attributes: attributes, pair: number, isExact: true)
        case .new(let number):
            init_extended_pair(number, pair.foreground, pair.background)
            return Look(attributes: attributes, pair: number, isExact: true)
        case .full: return Look(attributes: attributes, pair: 0, isExact: false)
        }
    }
}

/// A style in ncurses's terms.
private struct Look {
    var attributes: attr_t
    var pair: Int32
    /// Whether it has the style's colours.
    var isExact: Bool

    func cell(_ text: CellText) -> cchar_t {
        var cell = cchar_t()
        var scalars = text.scalars
        // Sound: a wide character is a scalar's value in 32 bits, and a zero follows the last.
        unsafe withUnsafePointer(to: &scalars) { scalars in
            _ = unsafe scalars.withMemoryRebound(to: wchar_t.self, capacity: 6) {
                unsafe sluice_set_cell(&cell, $0, attributes, pair)
            }
        }
        return cell
    }
}
