internal import SluiceCore

/// The table as Sluice comes, in the order of the help.
extension KeyMap {
    private static let rows: [Panel] = [.active, .queued, .detail]
    private static let ends: [Panel] = [.events, .finished, .detail]
    private static let failures: [Panel] = [.active] + ends + [.failed]
    private static let images: [Panel] = ends + [.preview]
    private static let lists: [Panel] = [.active, .queued, .finished, .events]
    private static let filterable: [Panel] = lists + [.failed]
    private static let editable: [Panel] = lists + [.detail, .failed]

    static let standardBindings: [Binding] =
        taskKeys + trustKeys + pictureKeys + rowKeys + listKeys + fileKeys + queueKeys + cacheKeys + replayKeys
        + everywhereKeys
        + panelKeys
        + promptKeys
        + editKeys
        + dialogKeys

    /// What can be typed at the prompt beside URLs.
    static let promptNotes = [
        (label: "@file", text: "a list, one URL a line"), (label: "[1-40]", text: "a series; {a,b} too"),
    ]

    private static let taskKeys = [
        bind("abort", .abort, "x", .panels(rows), .tasks, hint: "abort", help: "abort the task"),
        bind(
            "cancelReceipt",
            .cancelReceipt,
            "X",
            .panels(rows),
            .tasks,
            hint: "cancel receipt",
            help: "cancel newest receipt"
        ),
        bind("pause", .pause, "p", .panels(rows), .tasks, hint: "pause", help: "pause or resume it"),
        bind("pauseAll", .pauseAll, "P", .lists, .tasks, hint: "pause all", help: "pause or resume all"),
        bind(
            "detail",
            .openDetail,
            "enter",
            .panels(lists + [.failed]),
            .tasks,
            hint: "detail",
            help: "detail of the task"
        ),
        bind("retry", .retry, "r", .panels(failures), .tasks, hint: "retry", help: "retry, or end a wait"),
        bind("retryAll", .retryAll, "R", .lists, .tasks, hint: "retry failed", help: "retry all failed tasks"),
        bind("editURL", .editURL, "e", .panels(editable), .tasks, hint: "edit URL", help: "go on with another URL"),
        bind("limitTask", .limitTask, "L", .panels(rows), .tasks, help: "limit its rate"),
        bind("cancelAll", .cancelAll, "ctrl+x", .lists, .tasks, help: "abort all, after asking"),
        bind("nextTask", .nextTask, "]", .panels([.detail]), .tasks, hint: "next task", help: "next task, back"),
        bind("previousTask", .previousTask, "[", .panels([.detail]), .tasks),
        bind("allHeaders", .allHeaders, "h", .panels([.detail]), .tasks, hint: "headers", help: "all headers"),
    ]

    private static let trustKeys = [
        bind("trust", .trust, "T", .panels(editable), .trust, hint: "trust", help: "its host's certificates"),
        bind(nil, .close, "esc q T ctrl+c ctrl+g", .trust, .trust, hint: "close"),
        bind(nil, .pinKey, "p", .trust, .trust, hint: "pin", help: "pin a key, asks"),
        bind(nil, .editPins, "e", .trust, .trust, hint: "edit pins", help: "edit the pins first"),
        bind(nil, .tryPinning, "n", .trust, .trust, hint: "pinning", help: "try: pinning"),
        bind(nil, .tryInvalid, "i", .trust, .trust, hint: "invalid", help: "try: allowInvalid"),
        bind(nil, .tryDomain, "d", .trust, .trust, hint: "domain", help: "try: validatesDomain"),
        bind(nil, .lookAgain, "r", .trust, .trust, hint: "look again", help: "look again"),
        bind(nil, .down, "j down", .trust, .trust, hint: "choose", help: "choose a certificate"),
        bind(nil, .up, "k up", .trust, .trust),
        bind(nil, .pageDown, "pgdn space ctrl+f", .trust, .everywhere),
        bind(nil, .pageUp, "pgup ctrl+b", .trust, .everywhere),
        bind(nil, .first, "home g", .trust, .everywhere),
        bind(nil, .last, "end G", .trust, .everywhere),
        bind(nil, .help, "? f1", .trust, .everywhere),
        bind(nil, .redraw, "ctrl+l", .trust, .everywhere),
        bind(nil, .stop, "ctrl+z", .trust, .everywhere),
    ]

    private static let pictureKeys = [
        bind("picture", .openPicture, "i", .lists, .pictures, hint: "image", help: "the image, and back"),
        bind("openTile", .openTile, "enter", .panels([.preview]), .pictures, hint: "full"),
        bind("gallery", .openGallery, "I", .lists, .pictures, hint: "gallery", help: "all images, and back"),
        bind("zoom", .zoomPicture, "z", .panels([.preview]), .pictures, hint: "zoom", help: "larger; arrows move"),
        bind("nextPicture", .nextPicture, "]", .panels([.preview]), .pictures, hint: "next", help: "next image, back"),
        bind("previousPicture", .previousPicture, "[", .panels([.preview]), .pictures),
        bind("left", .left, "left h", .panels([.preview]), .pictures),
        bind("right", .right, "right l", .panels([.preview]), .pictures),
    ]

    private static let rowKeys = [
        bind("down", .down, "j down", .lists, .rows, help: "down"),
        bind("up", .up, "k up", .lists, .rows, help: "up"),
        bind("top", .prefixG, "g", .lists, .rows, help: "first row"),
        bind("first", .first, "home", .lists, .rows, help: "first row"),
        bind("last", .last, "G end", .lists, .rows, help: "last row"),
        bind("pageDown", .pageDown, "pgdn ctrl+f", .lists, .rows, help: "a page down, up"),
        bind("pageUp", .pageUp, "pgup ctrl+b", .lists, .rows),
        bind("halfDown", .halfDown, "ctrl+d", .lists, .rows, help: "half a page down, up"),
        bind("halfUp", .halfUp, "ctrl+u", .lists, .rows),
    ]

    private static let listKeys = [
        bind("select", .select, "space", .panels(lists), .lists, hint: "select", help: "select, and go down"),
        bind("selectRange", .selectRange, "v", .panels(lists), .lists, help: "select a range"),
        bind("selectAll", .selectAll, "ctrl+a", .panels(lists), .lists, help: "select all shown"),
        bind("filter", .filter, "/", .panels(filterable), .lists, hint: "filter", help: "filter; ! inverts"),
        bind("findNext", .findNext, "n", .panels(filterable), .lists, help: "next match, back"),
        bind("findPrevious", .findPrevious, "N", .panels(filterable), .lists),
        bind("sort", .sort, "s", .panels(lists), .lists, hint: "sort", help: "sort, reverse"),
        bind("reverse", .reverse, "S", .panels(lists), .lists),
    ]

    private static let fileKeys = [
        bind("open", .openFile, "o", .panels(images), .files, hint: "open", help: "open the saved file"),
        bind("copyPath", .copyPath, "y", .panels(images), .files, hint: "copy", help: "copy its path"),
        bind("copyURL", .copyURL, "Y", .panels(editable + [.preview]), .files, help: "copy the URL"),
        bind(
            "removeRow",
            .removeRow,
            "d",
            .panels(lists + [.failed]),
            .files,
            hint: "forget",
            help: "remove or forget a row"
        ),
        bind("deleteFile", .deleteFile, "D", .panels(ends), .files, hint: "delete file", help: "delete the file, asks"),
    ]

    private static let queueKeys = [
        bind("earlier", .earlier, "K", .panels([.queued]), .queue, hint: "move", help: "up, down one place"),
        bind("later", .later, "J", .panels([.queued]), .queue),
        bind("promote", .promote, "U", .panels([.queued]), .queue, hint: "to the top", help: "before all others"),
        bind("toEnd", .toEnd, "B", .panels([.queued]), .queue, help: "to its level's end"),
        bind("limitRate", .limitRate, "t", .lists, .queue, hint: "limit", help: "limit the rate of all"),
        bind("moreSlots", .moreSlots, "+ =", .lists, .queue, hint: "slots", help: "more or fewer slots"),
        bind("fewerSlots", .fewerSlots, "-", .lists, .queue),
        bind("order", .order, "f", .lists, .queue, help: "fifo or lifo"),
        bind("suspend", .suspend, "Z", .lists, .queue, hint: "suspend queue", help: "suspend, go on"),
    ]

    private static let cacheKeys = [
        // Of the pictures: the panel of the cache has no row to choose.
        bind(
            "dropImage",
            .dropImage,
            "c",
            .panels(images),
            .pictures,
            hint: "drop image",
            help: "drop image from memory"
        ),
        bind("clearCache", .clearCache, "C", .lists, .cache, hint: "clear cache", help: "clear the memory cache"),
        bind("pressure", .pressure, "M", .lists, .cache, hint: "memory pressure", help: "simulate pressure"),
    ]

    /// Before the same keys of lists, where a recording is shown.
    private static let replayKeys = [
        bind("replay.play", .replay(.toggle), "space", .replay, .replay, hint: "play, pause", help: "play or pause"),
        bind("replay.back", .replay(.back), "left", .replay, .replay, hint: "5 s", help: "5 seconds back, on"),
        bind("replay.forward", .replay(.forward), "right", .replay, .replay),
        bind("replay.stepBack", .replay(.stepBack), ",", .replay, .replay, hint: "event", help: "one event back, on"),
        bind("replay.step", .replay(.step), ".", .replay, .replay),
        bind("replay.faster", .replay(.faster), "+ =", .replay, .replay, hint: "speed", help: "faster, slower"),
        bind("replay.slower", .replay(.slower), "-", .replay, .replay),
        bind("replay.start", .replay(.start), "home", .replay, .replay, hint: "ends", help: "to its start, its end"),
        bind("replay.end", .replay(.end), "end", .replay, .replay),
    ]

    private static let everywhereKeys = [
        bind("add", .typeURL, "a ins", .lists, .everywhere, hint: "add", help: "add URLs, or paste"),
        bind("addList", .typeList, "A", .lists, .everywhere, hint: "add a list", help: "add a list from a file"),
        bind("command", .typeCommand, ":", .lists, .everywhere, hint: "command", help: "a command, see below"),
        bind("focusActive", .focus(.active), "1", .lists, .everywhere, hint: "panels", help: "focus, again: maximise"),
        bind("focusQueued", .focus(.queued), "2", .lists, .everywhere),
        bind("focusCache", .focus(.cache), "3", .lists, .everywhere),
        bind("focusEvents", .focus(.events), "4", .lists, .everywhere),
        bind("focusPreview", .focus(.preview), "5", .lists, .everywhere),
        bind("focusNetwork", .focus(.network), "6", .lists, .everywhere),
        bind("focusDetail", .focus(.detail), "7", .lists, .everywhere),
        bind("focusFinished", .focus(.finished), "8", .lists, .everywhere),
        bind("focusFailed", .focus(.failed), "9", .lists, .everywhere),
        bind("mouse", .toggleMouse, "m", .lists, .everywhere, help: "mouse on or off"),
        bind("nextPreset", .nextPreset, "\\", .lists, .everywhere, help: "other panels"),
        bind("nextPanel", .nextPanel, "tab", .lists, .everywhere, help: "next panel, back"),
        bind("previousPanel", .previousPanel, "shift+tab", .lists, .everywhere),
        bind("restore", .restore, "esc", .lists, .everywhere, hint: "back", help: "back to all panels"),
        bind("help", .help, "? f1", .lists, .everywhere, hint: "help", help: "this help"),
        bind("redraw", .redraw, "ctrl+l", .lists, .everywhere, help: "paint it anew"),
        bind("shell", .stop, "ctrl+z", .lists, .everywhere, help: "to the shell"),
        bind("quit", .quit, "q ctrl+c", .lists, .everywhere, hint: "quit", help: "quit; twice while busy"),
    ]

    /// Behind the digits, which are what the screen calls a panel by.
    private static let panelKeys = [
        bind(
            "cacheEntries",
            .focus(.cache),
            "enter",
            .panels([.cache]),
            .cache,
            hint: "entries",
            help: "its entries, and back"
        )
    ]

    private static let promptKeys = [
        bind("prompt.add", .submit, "enter", .prompt, .prompt, hint: "add", help: "add; leave if empty"),
        bind("prompt.leave", .leavePrompt, "esc ctrl+g", .prompt, .prompt, hint: "keys", help: "to the lists"),
        bind("prompt.older", .older, "up ctrl+p", .prompt, .prompt, hint: "history", help: "the line before"),
        bind("prompt.newer", .newer, "down ctrl+n", .prompt, .prompt, help: "the line after"),
        bind("prompt.search", .searchHistory, "ctrl+r", .prompt, .prompt, help: "search the history"),
        bind("prompt.complete", .complete, "tab", .prompt, .prompt, hint: "complete", help: "complete what stands"),
        bind("prompt.clear", .clearOrQuit, "ctrl+c", .prompt, .prompt, help: "clear; quit if empty"),
        bind("prompt.help", .help, "f1", .prompt, .prompt, help: "this help"),
        bind("prompt.redraw", .redraw, "ctrl+l", .prompt, .prompt, help: "paint it anew"),
        bind("prompt.shell", .stop, "ctrl+z", .prompt, .prompt, help: "to the shell"),
    ]

    private static let editKeys = [
        edit("prompt.cutToStart", .cutToStart, "ctrl+u", hint: "clear", help: "cut to start, to end"),
        edit("prompt.cutToEnd", .cutToEnd, "ctrl+k"),
        edit("prompt.cutWord", .cutWordBackward, "ctrl+w", help: "cut word before, after"),
        edit("prompt.cutWordAfter", .cutWordForward, "alt+d"),
        edit("prompt.yank", .yank, "ctrl+y", help: "insert cut text, older"),
        edit("prompt.yankOlder", .yankOlder, "alt+y"),
        edit("prompt.undo", .undo, "ctrl+_", help: "undo"),
        edit("prompt.start", .start, "ctrl+a home", help: "to the start, the end"),
        edit("prompt.end", .end, "ctrl+e end"),
        edit("prompt.left", .left, "left ctrl+b", help: "a character back, on"),
        edit("prompt.right", .right, "right ctrl+f"),
        edit("prompt.wordLeft", .wordLeft, "alt+b ctrl+left", help: "a word back, on"),
        edit("prompt.wordRight", .wordRight, "alt+f ctrl+right"),
        edit("prompt.deleteBefore", .deleteBackward, "backspace", help: "delete before, after"),
        edit("prompt.delete", .deleteForward, "del ctrl+d"),
        edit("prompt.swap", .swapCharacters, "ctrl+t", help: "swap characters, words"),
        edit("prompt.swapWords", .swapWords, "alt+t"),
        edit("prompt.upperCase", .upperCase, "alt+u", help: "upper, lower case"),
        edit("prompt.lowerCase", .lowerCase, "alt+l"),
        edit("prompt.capitalize", .capitalize, "alt+c", help: "capital letter"),
    ]

    /// Answers, which are the same for everybody.
    private static let dialogKeys = [
        // Not Enter, with which typed text ends that was meant for something else.
        bind(nil, .yes, "y Y", .question, .everywhere, hint: "yes"),
        bind(nil, .no, "n N esc ctrl+c ctrl+g q", .question, .everywhere, hint: "no"),
        bind(nil, .yes, "enter", .paste, .everywhere, hint: "add them"),
        bind(nil, .no, "esc ctrl+c ctrl+g", .paste, .everywhere, hint: "drop them"),
        bind(nil, .close, "q ? f1 ctrl+c enter", .help, .everywhere),
        bind(nil, .restore, "esc ctrl+g", .help, .everywhere, hint: "close"),
        bind(nil, .filter, "/", .help, .everywhere, hint: "search"),
        bind(nil, .down, "down j", .help, .everywhere, hint: "scroll"),
        bind(nil, .up, "up k", .help, .everywhere),
        bind(nil, .pageDown, "pgdn space ctrl+f", .help, .everywhere),
        bind(nil, .pageUp, "pgup ctrl+b", .help, .everywhere),
        bind(nil, .first, "home g", .help, .everywhere),
        bind(nil, .last, "end G", .help, .everywhere),
        bind(nil, .redraw, "ctrl+l", .help, .everywhere),
        bind(nil, .stop, "ctrl+z", .help, .everywhere),
        bind(nil, .close, "esc q enter ctrl+c ctrl+g", .event, .everywhere, hint: "close"),
        bind(nil, .down, "down j", .event, .everywhere, hint: "scroll"),
        bind(nil, .up, "up k", .event, .everywhere),
        bind(nil, .pageDown, "pgdn space ctrl+f", .event, .everywhere),
        bind(nil, .pageUp, "pgup ctrl+b", .event, .everywhere),
        bind(nil, .first, "home g", .event, .everywhere),
        bind(nil, .last, "end G", .event, .everywhere),
        bind(nil, .redraw, "ctrl+l", .event, .everywhere),
        bind(nil, .stop, "ctrl+z", .event, .everywhere),
    ]

    private static func edit(
        _ name: String,
        _ edit: LineEditor.Edit,
        _ keys: String,
        hint: String? = nil,
        help: String? = nil
    ) -> Binding {
        bind(name, .edit(edit), keys, .prompt, .prompt, hint: hint, help: help)
    }

    /// `keys` are names with blanks between.
    private static func bind(
        _ name: String?,
        _ action: KeyAction,
        _ keys: String,
        _ scope: Scope,
        _ group: Group,
        hint: String? = nil,
        help: String? = nil
    ) -> Binding {
        let keys = keys.split(separator: " ").map { name in
            guard let key = Key(name: String(name)) else { preconditionFailure("the table names a key that is none") }
            return key
        }
        return Binding(name: name, action: action, scope: scope, keys: keys, hint: hint, help: help, group: group)
    }
}
