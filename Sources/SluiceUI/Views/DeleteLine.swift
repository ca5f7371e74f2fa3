internal import SluiceCore

/// The question whether files are deleted, in the row of the prompt, with the name of the first.
///
/// The box above may have no room for any name: who answers must not have to remember what was under the cursor.
enum DeleteLine {
    /// Columns that a name is not cut below: less of it would be any file.
    private static let leastName = 8

    /// - Parameters:
    ///   - files: Their paths.
    ///   - columns: Room for the question.
    ///   - namesKeys: Whether the keys that answer are named in it, and not in the row below.
    /// - Returns: Longest first; none where no name has room.
    static func choices(_ files: [String], columns: Int, namesKeys: Bool = true) -> [StyledText] {
        guard let first = files.first else { return [] }
        let start = files.count == 1 ? "delete " : "delete \(Format.count(files.count)) files, first "
        let path = VisibleText.visible(first, limit: 500)
        let name = VisibleText.visible(PathText.name(of: first), limit: 300)
        func line(_ name: String, _ answers: StyledText) -> StyledText {
            .bold("\(start)\(name)? ", .bad) + answers
        }
        let endings = namesKeys ? [answers, letters] : [StyledText()]
        var choices = [line(path, endings[0]), line(name, endings[0])]
        for answers in endings {
            let room = columns - line("", answers).width
            if room >= leastName { choices.append(line(Elision.middle(name, room), answers)) }
        }
        return choices
    }

    private static var answers: StyledText {
        .bold("y", .accent) + .dim(" yes") + .plain("  ") + .bold("n", .accent) + .dim(" no")
    }

    private static var letters: StyledText { .bold("y", .accent) + .plain(" ") + .bold("n", .accent) }
}
