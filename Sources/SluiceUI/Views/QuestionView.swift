internal import SluiceCore

/// The box that names what an answer would touch.
enum QuestionView {
    /// What would be added to the configuration, word for word.
    ///
    /// Within `body`, so that the row of the cache below stays.
    static func draw(_ draft: PinDraft, in body: Rect, _ painter: inout Painter) {
        let width = min(painter.width - 4, 90)
        var rows = warning(draft, columns: width - 4, in: body)
        rows.append(.dim("host    ") + .bright(VisibleText.visible(draft.host, limit: 300)))
        for (index, pin) in draft.pins.enumerated() {
            let hash = Elision.middle(pin, max(12, width - 12))
            rows.append(.dim(index == 0 ? "key     " : "backup  ") + StyledText(hash, .accent))
        }
        let file = draft.file.map { Elision.middle(VisibleText.visible($0, limit: 300), max(12, width - 12)) }
        rows.append(.dim("file    ") + (file.map { .bright($0) } ?? .dim("none: until Sluice ends")))
        if !draft.lines.isEmpty {
            let isNew = draft.before.isEmpty
            rows += [
                StyledText(),
                .dim(isNew ? "the file gets these lines:" : "these lines come to its end, all else stays:"),
            ]
            rows += draft.lines.map {
                .plain("  " + Elision.end(VisibleText.visible($0, limit: 400), max(8, width - 6)))
            }
        }
        let height = min(rows.count + 2, body.height - 1)
        guard width >= 20, height >= 3 else { return }
        painter.dimAll()
        let x = (painter.width - width) / 2
        let y = max(body.y, (painter.height - 2 - height) / 2)
        let rect = Rect(x: x, y: y, width: width, height: height)
        var edges = Painter.Edges("", "pin")
        edges.isFocused = true
        edges.feet = [StyledText("y", .accent) + .dim(" pins  ") + StyledText("n", .accent) + .dim(" leaves it")]
        edges.note = .dim(width < 40 ? "other keys are refused then" : "every other key is refused then")
        painter.box(rect, edges)
        for (index, row) in rows.prefix(height - 2).enumerated() {
            painter.put(row, x: x + 2, y: y + 1 + index, limit: width - 4)
        }
    }

    /// Why the pins are not enough: first, since the end of the box is cut off where there is little room.
    private static func warning(_ draft: PinDraft, columns: Int, in body: Rect) -> [StyledText] {
        guard let warning = draft.warning, columns > 0 else { return [] }
        // Below it the host and its keys stay in sight.
        let room = max(1, body.height - 3 - 1 - draft.pins.count)
        let lines = warning.lines(columns: columns, rows: room).map { StyledText($0, .wait) }
        return lines + (body.height >= 16 ? [StyledText()] : [])
    }

    static func draw(_ files: [String], _ painter: inout Painter) {
        let width = min(painter.width - 4, 100)
        let rows = min(files.count, max(1, painter.height - 10))
        let height = rows + (files.count > rows ? 3 : 2)
        guard width >= 20, painter.height >= height + 2 else { return }
        painter.dimAll()
        let rect = Rect(
            x: (painter.width - width) / 2,
            y: max(1, (painter.height - 2 - height) / 2),
            width: width,
            height: height
        )
        var edges = Painter.Edges("", "delete \(Format.plural(files.count, "file"))")
        edges.isFocused = true
        edges.feet = [
            StyledText("y", .accent) + .dim(" deletes  ") + StyledText("n", .accent) + .dim(" keeps")
        ]
        edges.note = .dim("this can't be undone")
        painter.box(rect, edges)
        for (index, file) in files.prefix(rows).enumerated() {
            let name = Elision.middle(VisibleText.visible(file, limit: 500), width - 6)
            painter.put(.bold("✗ ", .bad) + .plain(name), x: rect.x + 2, y: rect.y + 1 + index, limit: width - 4)
        }
        if files.count > rows {
            let text = StyledText.dim("and \(Format.count(files.count - rows)) more")
            painter.put(text, x: rect.x + 4, y: rect.bottom - 2, limit: width - 6)
        }
    }
}
