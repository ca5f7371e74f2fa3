extension KeyMap {
    private static let rows: [Panel] = [.active, .queued]

    static let bindings: [Binding] =
        taskKeys + rowKeys + queueKeys + cacheKeys + everywhereKeys + promptKeys + dialogKeys

    private static let taskKeys = [
        bind(.character("x"), .abort, .panels(rows), "x", "abort", "abort the task", .tasks),
        bind(
            .character("X"),
            .cancelReceipt,
            .panels(rows),
            "X",
            "cancel receipt",
            "cancel newest receipt",
            .tasks
        ),
        bind(.character("p"), .pause, .panels(rows), "p", "pause", "pause or resume it", .tasks),
        bind(.character("P"), .pauseAll, .lists, "P", "pause all", "pause or resume all", .tasks),
        bind(.character("r"), .retry, .panels([.events]), "r", "retry", "retry this failed task", .tasks),
        bind(.character("R"), .retryAll, .lists, "R", "retry failed", "retry all failed tasks", .tasks),
        bind(.control("x"), .cancelAll, .lists, "^X", nil, "abort all, after asking", .tasks),
    ]

    private static let rowKeys = [
        bind([.character("j"), .down], .down, .lists, "j ↓", nil, "down", .rows),
        bind([.character("k"), .up], .up, .lists, "k ↑", nil, "up", .rows),
        bind(.character("g"), .prefixG, .lists, "gg Home", nil, "first row", .rows),
        bind(.home, .first, .lists, "Home", nil, nil, .rows),
        bind([.character("G"), .end], .last, .lists, "G End", nil, "last row", .rows),
        bind(.pageDown, .pageDown, .lists, "PgDn Up", nil, "a page down, up", .rows),
        bind(.pageUp, .pageUp, .lists, "PgUp", nil, nil, .rows),
        bind(.control("d"), .halfDown, .lists, "^D ^U", nil, "half a page down, up", .rows),
        bind(.control("u"), .halfUp, .lists, "^U", nil, nil, .rows),
    ]

    private static let queueKeys = [
        bind(.character("K"), .earlier, .panels([.queued]), "K J", "move", "up, down one place", .queue),
        bind(.character("J"), .later, .panels([.queued]), "J", nil, nil, .queue),
        bind(.character("U"), .promote, .panels([.queued]), "U", "to the top", "before all others", .queue),
        bind(.character("B"), .toEnd, .panels([.queued]), "B", nil, "to the end of the queue", .queue),
        bind([.character("+"), .character("=")], .moreSlots, .lists, "+ −", "slots", "more or fewer slots", .queue),
        bind(.character("-"), .fewerSlots, .lists, "−", nil, nil, .queue),
        bind(.character("f"), .order, .lists, "f", nil, "fifo or lifo", .queue),
        bind(.character("Z"), .suspend, .lists, "Z", "suspend queue", "suspend, go on", .queue),
    ]

    private static let cacheKeys = [
        bind(.character("C"), .clearCache, .lists, "C", "clear cache", "clear the memory cache", .cache),
        bind(.character("M"), .pressure, .lists, "M", "memory pressure", "simulate pressure", .cache),
    ]

    private static let everywhereKeys = [
        bind(
            [.character("a"), .insert],
            .typeURL,
            .lists,
            "a",
            "add",
            "add URLs, or paste",
            .everywhere
        ),
        bind(.character("A"), .typeList, .lists, "A", "add a list", "add a list from a file", .everywhere),
        bind(
            .character("1"),
            .focus(.active),
            .lists,
            "1–4 6",
            "panels",
            "focus, again: maximise",
            .everywhere
        ),
        bind(.character("2"), .focus(.queued), .lists, "2", nil, nil, .everywhere),
        bind(.character("3"), .focus(.cache), .lists, "3", nil, nil, .everywhere),
        bind(.character("4"), .focus(.events), .lists, "4", nil, nil, .everywhere),
        bind(.character("6"), .focus(.network), .lists, "6", nil, nil, .everywhere),
        bind(.tab, .nextPanel, .lists, "Tab", nil, "next panel, Shift: back", .everywhere),
        bind(.backTab, .previousPanel, .lists, "⇧Tab", nil, nil, .everywhere),
        bind(.escape, .restore, .lists, "Esc", nil, "back to all panels", .everywhere),
        bind([.character("?"), .function(1)], .help, .lists, "? F1", "help", "this help", .everywhere),
        bind(.control("l"), .redraw, .lists, "^L", nil, "paint it anew", .everywhere),
        bind(.control("z"), .stop, .lists, "^Z", nil, "to the shell", .everywhere),
        bind(
            [.character("q"), .control("c")],
            .quit,
            .lists,
            "q ^C",
            "quit",
            "quit; twice while busy",
            .everywhere
        ),
    ]

    private static let promptKeys = [
        bind(.enter, .submit, .prompt, "⏎", "add", "add; leave if empty", .prompt),
        bind(
            [.escape, .control("g")],
            .leavePrompt,
            .prompt,
            "Esc ^G",
            "keys",
            "to the lists",
            .prompt
        ),
        bind([.up, .control("p")], .older, .prompt, "↑ ^P", "history", "the line before", .prompt),
        bind([.down, .control("n")], .newer, .prompt, "↓ ^N", nil, "the line after", .prompt),
        bind([.control("u")], .edit, .prompt, "^U ^K", "clear", "cut to start, to end", .prompt),
        bind([.control("k")], .edit, .prompt, "^K", nil, nil, .prompt),
        bind([.control("w"), .alt("d")], .edit, .prompt, "^W Alt-d", nil, "cut word before, after", .prompt),
        bind(.control("y"), .edit, .prompt, "^Y", nil, "insert what was cut", .prompt),
        bind(
            [.control("a"), .home, .control("e"), .end],
            .edit,
            .prompt,
            "^A ^E",
            nil,
            "to the start, the end",
            .prompt
        ),
        bind(
            [.left, .control("b"), .right, .control("f")],
            .edit,
            .prompt,
            "← →",
            nil,
            "a character back, on",
            .prompt
        ),
        bind(
            [.controlLeft, .alt("b"), .controlRight, .alt("f")],
            .edit,
            .prompt,
            "Alt-b -f",
            nil,
            "a word back, on",
            .prompt
        ),
        bind([.backspace, .control("h"), .delete, .control("d")], .edit, .prompt, "Del ^D", nil, "delete", .prompt),
        bind(.control("c"), .clearOrQuit, .prompt, "^C", nil, "clear; quit if empty", .prompt),
        bind(.function(1), .help, .prompt, "F1", nil, nil, .prompt),
        bind([], .edit, .prompt, "@file", "list", "a list, one URL a line", .prompt),
        bind([], .edit, .prompt, "[1-40]", nil, "a series; {a,b} too", .prompt),
        bind(.control("l"), .redraw, .prompt, "^L", nil, nil, .prompt),
        bind(.control("z"), .stop, .prompt, "^Z", nil, nil, .prompt),
    ]

    private static let dialogKeys = [
        bind([.character("y"), .character("Y"), .enter], .yes, .question, "y", "yes", nil, .everywhere),
        bind(
            [.character("n"), .character("N"), .escape, .control("c"), .control("g"), .character("q")],
            .no,
            .question,
            "n",
            "no",
            nil,
            .everywhere
        ),
        bind(.enter, .yes, .paste, "⏎", "add them", nil, .everywhere),
        bind([.escape, .control("c"), .control("g")], .no, .paste, "Esc", "drop them", nil, .everywhere),
        bind(
            [.escape, .character("q"), .character("?"), .function(1), .control("c"), .control("g"), .enter],
            .close,
            .help,
            "Esc",
            "close",
            nil,
            .everywhere
        ),
        bind([.character("j"), .down], .down, .help, "↓ ↑", "scroll", nil, .everywhere),
        bind([.character("k"), .up], .up, .help, "↑", nil, nil, .everywhere),
        bind([.pageDown, .character(" ")], .pageDown, .help, "PgDn", nil, nil, .everywhere),
        bind(.pageUp, .pageUp, .help, "PgUp", nil, nil, .everywhere),
        bind([.home, .character("g")], .first, .help, "Home", nil, nil, .everywhere),
        bind([.end, .character("G")], .last, .help, "End", nil, nil, .everywhere),
        bind(.control("l"), .redraw, .help, "^L", nil, nil, .everywhere),
        bind(.control("z"), .stop, .help, "^Z", nil, nil, .everywhere),
    ]

    private static func bind(
        _ keys: [Key],
        _ action: KeyAction,
        _ scope: Scope,
        _ label: String,
        _ hint: String?,
        _ help: String?,
        _ group: Group
    ) -> Binding {
        Binding(keys: keys, action: action, scope: scope, label: label, hint: hint, help: help, group: group)
    }

    private static func bind(
        _ key: Key,
        _ action: KeyAction,
        _ scope: Scope,
        _ label: String,
        _ hint: String?,
        _ help: String?,
        _ group: Group
    ) -> Binding {
        bind([key], action, scope, label, hint, help, group)
    }
}
