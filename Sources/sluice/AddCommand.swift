internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// `sluice add URL…`: submits to a running Sluice.
struct AddCommand: ParsableCommand, URLArguments {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Submit URLs to a running Sluice.",
        discussion: "Prints what became of each. Exit status: 0, or 1 if one was rejected or nobody listens."
    )

    @Argument(help: "What to download.")
    var urls: [String]

    @OptionGroup var place: ControlPlace

    func run() throws {
        let caller = try ControlCaller(place)
        var isRefused = false
        var rest = urls[...]
        while !rest.isEmpty {
            let slice = Self.slice(of: rest)
            rest = rest.dropFirst(slice.count)
            let result = try caller.call("submit", ControlCaller.parameters(urls: Array(slice)))
            let answers = Self.list(result)
            guard answers.count == slice.count else {
                throw complain(
                    "the answer for \(slice.count) URLs has \(answers.count); look with sluice ctl state whether they are there",
                    status: .failures
                )
            }
            for (url, answer) in zip(slice, answers) {
                let outcome = answer["outcome"]?.string ?? "unknown"
                if outcome == "rejected" { isRefused = true }
                let why = answer["error"]?["message"]?.string ?? answer["why"]?.string ?? ""
                let shown = RequestURL.shown(refused: url)
                try caller.write(Array("\(outcome) \(shown): \(why)".withVisibleControls.utf8))
            }
        }
        if isRefused { throw ExitStatus.failures }
    }

    /// As many as fit a line, which has a limit, and the patience of whoever waits for the first answer.
    private static func slice(of urls: ArraySlice<String>) -> ArraySlice<String> {
        var byteCount = 0
        return urls.prefix(500).prefix { url in
            defer { byteCount += url.utf8.count }
            // A byte takes six at most, as an escape.
            return byteCount == 0 || (byteCount + url.utf8.count) * 6 < 1_000_000
        }
    }

    /// The values of a list; none if it is none.
    private static func list(_ json: [UInt8]) -> [JSONValue] {
        do throws(JSONValue.ParseError) { return try JSONValue(parsing: json[...]).array ?? [] } catch { return [] }
    }
}
