internal import SluiceCore

/// The box that names what a dangerous answer would touch.
enum QuestionView {
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
