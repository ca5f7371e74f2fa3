internal import SluiceCore

/// The selected task in four lines: where from, where to, for whom, and why it stands where it does.
enum DetailView {
    static func draw(
        _ row: PipelineSnapshot.Row,
        _ state: AppState,
        in rect: Rect,
        now: Timestamp,
        _ painter: inout Painter
    ) {
        painter.rule(
            .dim(Elision.middle(VisibleText.visible(row.name, limit: 300), rect.width / 2)),
            x: rect.x,
            y: rect.y,
            width: rect.width
        )
        var lines = [
            from(row, width: rect.width), to(row, state, width: rect.width), receipts(row, state, width: rect.width),
        ]
        if let why = row.reason?.sentence(now: now) {
            lines.append(.dim("why  ") + .plain(VisibleText.visible(why, limit: 300)))
        }
        for (index, line) in lines.prefix(rect.height - 1).enumerated() {
            painter.put(fitting: line, x: rect.x, y: rect.y + 1 + index, limit: rect.width)
        }
    }

    private static func from(_ row: PipelineSnapshot.Row, width: Int) -> StyledText {
        var facts = StyledText()
        if let version = row.httpVersion { facts += .dim("   h\(VisibleText.visible(version, limit: 5))") }
        if let type = row.contentType {
            facts += .dim(" · \(VisibleText.visible(type.prefix { $0 != ";" }, limit: 30))")
        }
        let url = Elision.middle(VisibleText.visible(row.url, limit: 1_000), max(10, width - 5 - facts.width))
        return .dim("from ") + .plain(url) + facts
    }

    private static func to(_ row: PipelineSnapshot.Row, _ state: AppState, width: Int) -> StyledText {
        guard let file = state.destination(of: row, name: row.name) else {
            let keeper = state.keeperWithoutFile(of: row)
            return .dim("to   ") + .dim(keeper.map { "\($0), no file is saved" } ?? "whatever is recorded at its end")
        }
        let name = PathText.name(of: file)
        let path = VisibleText.visible(file, limit: 300)
        let line = StyledText.dim("to   ") + .plain(path)
        let part = line + .dim("   while it runs \(VisibleText.visible(name, limit: 40)).part")
        return [part, line + .dim("   as .part"), line].first { $0.width <= width }
            ?? .dim("to   ") + .plain(Elision.middle(path, max(10, width - 5)))
    }

    private static func receipts(_ row: PipelineSnapshot.Row, _ state: AppState, width: Int) -> StyledText {
        var line = StyledText.dim("for  ") + TaskColumns.receipts(row.receipts)
        let known = state.news.receipts.receipts(of: row.task, limit: 6).reversed()
        if !known.isEmpty { line += .dim("  " + known.map { "#\($0.rawValue)" }.joined(separator: "  ")) }
        // Who asked first is gone with the last receipt.
        if row.receipts == 0 { return line + .dim("   nobody waits for it: its last request was cancelled") }
        let (words, time) = ("   first asked by ", " at \(state.clock.time(at: row.submitted))")
        let asker = source(row.source, columns: max(17, width - line.width - words.count - time.count))
        return line + .dim(words + asker + time)
    }

    /// Where a request came from, in words; of a list in few columns, its name and the line before its folder.
    static func source(_ source: DownloadRequest.Source, columns: Int = .max) -> String {
        switch source {
        case .argument: "argument"
        case .prompt, .promptLine: "prompt"
        case .paste: "paste"
        case .standardInput(let line): "stdin:\(line)"
        case .list(let path, let line): list(path, ":\(line)", columns)
        case .prefetch(let batch): "prefetch \(batch.rawValue)"
        case .feed: "feed"
        case .revalidation: "revalidation"
        case .view: "picture"
        case .program: "program"
        }
    }

    private static func list(_ path: String, _ line: String, _ columns: Int) -> String {
        let room = columns - line.count
        let whole = VisibleText.visible(path)
        if TextWidth.columns(of: whole) <= room { return whole + line }
        let parts = PathText.parts(of: path).suffix(2)
        let near = "…/" + VisibleText.visible(parts.joined(separator: "/"))
        if parts.count > 1, TextWidth.columns(of: near) <= room { return near + line }
        return Elision.middle(VisibleText.visible(parts.last ?? path), max(1, room)) + line
    }
}
