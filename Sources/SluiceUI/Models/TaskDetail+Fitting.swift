/// Lines that have no room, broken into several: where somebody can scroll nothing is cut.
extension TaskDetail {
    /// A label wider than its column stands on a line of its own, and a text goes on below itself.
    ///
    /// - Parameters:
    ///   - lines: Of one section.
    ///   - width: Of the section, as lines are drawn.
    /// - Returns: As many lines as that takes.
    func fitted(_ lines: [Line], width: Int) -> [Line] {
        guard isWhole else { return lines }
        let column = Self.labelWidth(width)
        return lines.flatMap { line -> [Line] in
            switch line {
            case .text(let text): return text.lines(columns: max(1, width)).map { .text($0) }
            case .fact(let label, let text):
                let hasRoom = TextWidth.columns(of: label) < column
                let rows = text.lines(columns: max(1, width - column)).enumerated().map { row in
                    Line.fact(row.offset == 0 && hasRoom ? label : "", row.element)
                }
                return hasRoom ? rows : [.text(.dim(label))] + rows
            default: return [line]
            }
        }
    }
}
