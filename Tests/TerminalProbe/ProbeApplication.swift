import SluiceCore
import SluiceUI

/// Shows what reaches an application, so that a test can read it off the screen.
struct ProbeApplication: TerminalApplication {
    private var lines: [String: String] = [:]
    private var frames = 0
    private var isDue = true
    private var keys: [String] = []
    private var colors = 0
    private var wakes = 0
    private var nextWake: Timestamp?
    private var cursor: Frame.Cursor?
    private var title: String?
    private var isBusy = false
    private var showsTrueColor = false

    mutating func handle(_ event: AppEvent, now: Timestamp) -> [AppEffect] {
        if case .link = event { return [] }
        isDue = true
        switch event {
        case .key(let key): return pressed(key, now: now)
        case .paste(let text):
            lines["paste"] = "\(text.utf8.count) bytes, \(text.split(separator: "\n").count) lines"
        case .focus(let isFocused): lines["focus"] = "\(isFocused)"
        case .resized(let width, let height): lines["size"] = "\(width)x\(height)"
        case .snapshot(let snapshot): lines["snapshot"] = "\(snapshot.serial)"
        case .events(let events, let lost): lines["events"] = "\(events.count), \(lost) lost"
        case .wake:
            nextWake = nil
            wakes += 1
            lines["wakes"] = "\(wakes)"
        case .mouse(let mouse): lines["mouse"] = "\(mouse.kind) \(mouse.x),\(mouse.y)"
        case .ground(let isLight): lines["ground"] = isLight ? "light" : "dark"
        case .link: break
        case .resumed: lines["resumed"] = "yes"
        case .interrupted: return [.saveHistory(["interrupted"])]
        case .cutPaste, .earlier, .picture, .sketch, .pixels, .trust, .pinDraft, .pinned, .listLook, .inputEnded: break
        case .list(let path, let result): lines["list"] = "\(path): \((try? result.get().count) ?? -1)"
        case .notice(let text, _): lines["notice"] = text
        case .folder(let path, let names): lines["folder"] = "\(path): \(names.count)"
        }
        return []
    }

    private mutating func pressed(_ key: Key, now: Timestamp) -> [AppEffect] {
        keys = keys.suffix(7) + [name(key)]
        switch key {
        case .character("q"): return [.quit]
        case .character("r"): return [.readList(path: "list")]
        case .character("p"): return [.pipeline(.pauseAll)]
        case .character("w"): nextWake = now + .milliseconds(20)
        case .character("n"): isDue = false
        case .character("v"): cursor = cursor == nil ? Frame.Cursor(x: 3, y: 1) : nil
        case .character("T"): title = "probe \u{1B}[2J猫"
        case .character("b"): isBusy.toggle()
        case .character("m"): colors += 40
        case .character("M"): showsTrueColor = true
        case .control("l"): return [.repaint]
        case .control("z"): return [.stop]
        case .character(let way) where "ctaoeh".contains(way):
            return [.saveHistory([name(key)])]
        default: break
        }
        return []
    }

    func frameDue(now: Timestamp) -> Timestamp? { isDue ? now : nil }
    func nextWake(after now: Timestamp) -> Timestamp? { nextWake }

    mutating func frame(width: Int, height: Int, now: Timestamp) -> Frame {
        isDue = false
        frames += 1
        var canvas = Canvas(width: width, height: height)
        canvas.write("keys: \(keys.joined(separator: " "))", x: 0, y: 0, style: Style(attributes: .bold))
        let shown = lines.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        for (y, line) in shown.enumerated() { canvas.write(line, x: 0, y: y + 1) }
        for color in 0..<colors {
            let style = Style(foreground: Int32(color % 256), background: Int32(color / 4 % 256))
            canvas.write("#", x: color % max(1, width), y: 12 + color / max(1, width), style: style)
        }
        if showsTrueColor {
            let colors = [
                Style.trueColor(red: 18, green: 52, blue: 86), Style.trueColor(red: 0, green: 0, blue: 9), 208,
            ]
            for (x, color) in colors.enumerated() {
                canvas.write("%", x: x, y: height - 2, style: Style(foreground: color, background: colors[2 - x]))
            }
        }
        canvas.write("x", x: width - 1, y: height - 1)
        return Frame(canvas: canvas, cursor: cursor, title: title, showsActivity: isBusy)
    }

    /// A name without spaces, whatever the key is.
    private func name(_ key: Key) -> String {
        switch key {
        case .character(let character): "\(character)"
        case .control(let character): "^\(character)"
        case .alt(let character): "M-\(character)"
        case .function(let number): "F\(number)"
        case .enter, .escape, .tab, .backTab, .backspace, .delete, .insert, .up, .down, .left, .right, .controlLeft,
            .controlRight, .home, .end, .pageUp, .pageDown:
            "\(key)"
        }
    }
}
