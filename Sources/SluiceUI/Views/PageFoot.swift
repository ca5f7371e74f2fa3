/// The foot of a page that has more lines than there are rows: which of them are seen, and the key for the others.
enum PageFoot {
    /// - Parameters:
    ///   - offset: Lines above those that are seen.
    ///   - rows: For lines.
    ///   - count: Of lines.
    ///   - forward: What the key for the next ones is called, before the place.
    ///   - backward: The same for those before, which stands there at the end.
    /// - Returns: What to show, the longer first.
    static func texts(
        offset: Int,
        rows: Int,
        of count: Int,
        forward: StyledText,
        backward: StyledText
    ) -> [StyledText] {
        let last = min(count, offset + rows)
        let place = StyledText.dim("\(offset + 1)–\(last) of \(count)")
        return [(last == count ? backward : forward) + place, place]
    }
}
