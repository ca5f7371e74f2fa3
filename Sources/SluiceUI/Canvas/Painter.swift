/// Draws styled text and lines on a canvas, in a theme.
///
/// Knows the ground of every cell, so that text on a selected row or a flash keeps
/// it. Clips silently: no coordinates trap.
struct Painter {
    private(set) var canvas: Canvas
    let theme: Theme
    let glyphs: Glyphs
    /// How pictures are painted.
    var pixels = PixelInk(depth: .palette256, isASCII: false, hasTrueColor: false)
    private var grounds: [Role?]
    /// Whether a cell is one of a row that is selected without being the cursor's.
    private var marks: [Bool]
    /// Where the spinner stands, so that it can step without anything else being drawn.
    private(set) var spinners: [(x: Int, y: Int)] = []

    /// Where pictures stand, so that an overlay can make them quiet.
    private var pictures: [(place: Rect, image: CellImage?, isPixels: Bool)] = []

    /// What a click means, in the order of drawing.
    private(set) var targets: [MouseTarget] = []

    init(width: Int, height: Int, theme: Theme, glyphs: Glyphs) {
        canvas = Canvas(width: width, height: height)
        (self.theme, self.glyphs) = (theme, glyphs)
        grounds = Array(repeating: nil, count: canvas.width * canvas.height)
        marks = Array(repeating: false, count: grounds.count)
    }

    var width: Int { canvas.width }
    var height: Int { canvas.height }

    /// Writes at most `limit` columns.
    ///
    /// - Returns: The column after the text.
    @discardableResult
    mutating func put(_ text: StyledText, x: Int, y: Int, limit: Int = .max) -> Int {
        guard (0..<height).contains(y), limit > 0 else { return x }
        let end = limit < width - x ? x + limit : width
        var column = x
        for span in text.spans {
            guard column < end else { break }
            let style = theme.style(span.ink, on: span.ink.ground)
            let next = canvas.write(span.text, x: column, y: y, limit: end - column, style: style)
            for x in max(0, column)..<max(0, column, min(next, width)) {
                if let ground = span.ink.ground {
                    (grounds[y * width + x], marks[y * width + x]) = (ground, false)
                } else if let ground = grounds[y * width + x] {
                    let style = marks[y * width + x] ? theme.marked(span.ink) : theme.style(span.ink, on: ground)
                    canvas.restyle(x: x, y: y) { _ in style }
                }
            }
            column = next
        }
        return column
    }

    /// Writes what fits into `limit` columns, with an ellipsis where something is left out; no escape is cut in two.
    ///
    /// - Returns: The column after the text.
    @discardableResult
    mutating func put(fitting text: StyledText, x: Int, y: Int, limit: Int) -> Int {
        guard text.width > limit else { return put(text, x: x, y: y, limit: limit) }
        guard limit > 0 else { return x }
        let end = put(text.prefix(columns: limit - 1), x: x, y: y, limit: limit - 1)
        return put(.dim("…"), x: end, y: y)
    }

    /// Ends before column `right`.
    mutating func put(_ text: StyledText, endingAt right: Int, y: Int) { put(text, x: right - text.width, y: y) }

    /// Paints the two halves of a cell; the ground stays where there is none.
    mutating func put(_ upper: PixelInk.Half?, _ lower: PixelInk.Half?, x: Int, y: Int) {
        guard upper != nil || lower != nil, (0..<height).contains(y), (0..<width).contains(x) else { return }
        var (character, style) = pixels.cell(upper, lower, x: x, y: y)
        if style.background == -1, let ground = grounds[y * width + x] {
            style.background = theme.style(Ink(.fg), on: ground).background
        }
        canvas.put(CellCharacter(character), columns: 1, style: style, x: x, y: y)
    }

    /// Puts a character in a colour of its own, which no theme changes.
    mutating func put(_ character: Character, color: Int32, x: Int, y: Int) {
        canvas.put(CellCharacter(character), columns: 1, style: Style(foreground: color), x: x, y: y)
    }

    /// Gives `width` cells a ground; their text stays.
    mutating func ground(_ role: Role, x: Int, y: Int, width: Int) {
        lay(role, theme.style(Ink(.fg), on: role), isMark: false, x: x, y: y, width: width)
    }

    /// Gives the cells of a row that is selected, and not the cursor's, their ground; their text stays.
    mutating func mark(x: Int, y: Int, width: Int) {
        lay(.select, theme.marked(Ink(.fg)), isMark: true, x: x, y: y, width: width)
    }

    private mutating func lay(_ role: Role, _ style: Style, isMark: Bool, x: Int, y: Int, width: Int) {
        guard (0..<height).contains(y) else { return }
        let range = max(0, x)..<max(0, x, min(self.width, x + width))
        for x in range {
            (grounds[y * self.width + x], marks[y * self.width + x]) = (role, isMark)
            canvas.restyle(x: x, y: y) { _ in style }
        }
    }

    /// Blanks a rectangle.
    mutating func clear(_ rect: Rect) {
        for y in max(0, rect.y)..<max(0, rect.y, min(height, rect.bottom)) {
            for x in max(0, rect.x)..<max(0, rect.x, min(width, rect.right)) {
                (grounds[y * width + x], marks[y * width + x]) = (nil, false)
            }
            canvas.clear(rect.x..<rect.x + max(0, rect.width), y: y)
        }
    }

    /// Says that the next character at this cell is the spinner.
    mutating func noteSpinner(x: Int, y: Int) { spinners.append((x, y)) }

    /// Says what a click on these cells means.
    mutating func noteTarget(_ meaning: MouseTarget.Meaning, _ rect: Rect) {
        targets.append(MouseTarget(rect: rect, meaning: meaning))
    }

    /// Says that a picture was drawn in cells.
    mutating func notePicture(_ image: CellImage, in place: Rect) { pictures.append((place, image, false)) }

    /// Says that cells stand for a picture that the terminal draws.
    ///
    /// - Parameters:
    ///   - place: Where.
    ///   - image: The same in cells, for an overlay; without one the place is blank then.
    mutating func notePixels(in place: Rect, image: CellImage?) { pictures.append((place, image, true)) }

    /// Makes everything drawn so far quiet, for an overlay.
    mutating func dimAll() {
        (spinners, targets) = ([], [])
        for y in 0..<height {
            for x in 0..<width { canvas.restyle(x: x, y: y, theme.dimmed) }
        }
        dimPictures()
    }

    /// Paints pictures anew, since their colours are what they are made of, and the cells of one that the terminal
    /// draws name it by theirs.
    private mutating func dimPictures() {
        let (ink, drawn) = (pixels, pictures)
        pixels = ink.hushed(theme.dimmed(.plain), isLight: theme.palette.isLight)
        for picture in drawn {
            if picture.isPixels { clear(picture.place) }
            picture.image?.draw(in: picture.place, &self)
        }
        (pixels, pictures) = (ink, [])
    }

    /// The finished picture.
    func finished() -> Canvas {
        guard glyphs.isASCII else { return canvas }
        var canvas = canvas
        canvas.mapCharacters(Glyphs.ascii)
        return canvas
    }
}

// MARK: - Boxes and rules

extension Painter {
    /// What stands in the edges of a box.
    struct Edges {
        /// The digit that focuses the panel.
        var number = ""
        var title = StyledText()
        /// In the upper edge, right; the first that fits.
        var facts: [StyledText] = []
        /// In the lower edge, right; the first that fits.
        var feet: [StyledText] = []
        /// In the lower edge, left.
        var note = StyledText()
        var isFocused = false

        init(_ number: String, _ title: String, facts: [StyledText] = [], feet: [StyledText] = []) {
            (self.number, self.title, self.facts, self.feet) = (number, .figure(title), facts, feet)
        }

        /// The column behind the title, as ``Painter/box(_:_:)`` draws it.
        func titleEnd(in rect: Rect) -> Int {
            rect.x + 3 + (number.isEmpty ? 0 : number.count + 1) + title.width
        }
    }

    /// A frame with rounded corners; its inside is blanked.
    mutating func box(_ rect: Rect, _ edges: Edges) {
        guard rect.width >= 2, rect.height >= 2 else { return }
        clear(rect)
        let ink = Ink(edges.isFocused ? .focus : .frame)
        let (side, style) = (CellCharacter("│"), theme.style(ink, on: nil))
        let line = String(repeating: "─", count: rect.width - 2)
        put(StyledText("╭\(line)╮", ink), x: rect.x, y: rect.y)
        put(StyledText("╰\(line)╯", ink), x: rect.x, y: rect.bottom - 1)
        for y in rect.y + 1..<rect.bottom - 1 {
            canvas.put(side, columns: 1, style: style, x: rect.x, y: y)
            canvas.put(side, columns: 1, style: style, x: rect.right - 1, y: y)
        }
        var heading = edges.title
        var title = StyledText(" ", .fg)
        if !edges.number.isEmpty {
            heading = StyledText.bold("\(edges.number) ", edges.isFocused ? .focus : .accent) + heading
        }
        if edges.isFocused {
            // What follows the first piece of the title are the ways to other lists.
            for index in heading.spans.indices.prefix(edges.number.isEmpty ? 1 : 2) {
                heading.spans[index].ink.ground = theme.titleGround
            }
        }
        title += heading + StyledText(" ", .fg)
        let titleEnd = put(title, x: rect.x + 2, y: rect.y, limit: rect.width - 4)
        edge(edges.facts, rect, y: rect.y, room: rect.right - 2 - titleEnd - 1)
        var noteEnd = rect.x + 2
        if !edges.note.isEmpty {
            noteEnd = put(.plain(" ") + edges.note + .plain(" "), x: noteEnd, y: rect.bottom - 1, limit: rect.width - 4)
        }
        edge(edges.feet, rect, y: rect.bottom - 1, room: rect.right - 2 - noteEnd - 1)
    }

    private mutating func edge(_ choices: [StyledText], _ rect: Rect, y: Int, room: Int) {
        guard let text = choices.first(where: { !$0.isEmpty && $0.width + 2 <= room }) else { return }
        put(.plain(" ") + text + .plain(" "), endingAt: rect.right - 2, y: y)
    }

    /// A quiet heading inside a panel: the word, then a hair line.
    mutating func rule(_ label: StyledText, x: Int, y: Int, width: Int) {
        guard width > 0 else { return }
        let end = put(label + .plain(" "), x: x, y: y, limit: width)
        guard end < x + width else { return }
        put(StyledText(String(repeating: "╌", count: x + width - end), .frame), x: end, y: y)
    }
}
