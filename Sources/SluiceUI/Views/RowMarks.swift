internal import SluiceCore

/// What sets a row's task apart from the others: a rate limit of its own.
///
/// Stands behind the name, and gives way to it. A priority has no sign: the place in the queue shows it. Of both a
/// recording knows nothing, since no event tells them.
enum RowMarks {
    /// Columns that a name keeps before a mark is drawn at all.
    static let leastName = 12

    /// The mark of the limit, as long as fits beside the name.
    ///
    /// - Parameters:
    ///   - row: Whose mark it is.
    ///   - name: The name in full, as it would be drawn.
    ///   - room: Columns that name and mark share.
    /// - Returns: A blank and the mark; empty where there is no limit, or no room.
    static func text(_ row: PipelineSnapshot.Row, beside name: String, room: Int) -> StyledText {
        guard row.rateLimit > 0 else { return StyledText() }
        let width = TextWidth.columns(of: name)
        let full = StyledText(" ≤ \(Format.limit(row.rateLimit).text)/s", .wait)
        // In full only where the name loses nothing by it.
        if room - full.width >= width { return full }
        let short = StyledText(" ≤", .wait)
        return room - short.width >= min(width, leastName) ? short : StyledText()
    }
}
