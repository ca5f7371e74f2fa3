internal import ArgumentParser
internal import Glibc
internal import SluiceControl
internal import SluiceCore

/// `sluice ctl METHOD [JSON]`: one call to a running Sluice.
struct ControlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Talk to a running Sluice.",
        discussion: """
            Prints the result as a line of JSON; subscribe goes on with the events, one a line. \
            Exit status: 0, or 1 after an error. Methods and what they take:

            \(ControlMethod.allCases.map { "  \($0.rawValue) \($0.parameters)" }.joined(separator: "\n"))
            """
    )

    @Argument(help: ArgumentHelp("What to do.", valueName: "method"))
    var method: String

    @Argument(help: ArgumentHelp("Its parameters, a JSON object.", valueName: "json"))
    var parameters: String?

    @OptionGroup var place: ControlPlace

    func run() throws {
        if let parameters {
            do throws(JSONValue.ParseError) {
                _ = try JSONValue(parsing: parameters)
            } catch {
                throw complain("\(parameters) is no JSON: \(error)", status: .failures)
            }
        }
        let caller = try ControlCaller(place)
        caller.write(try caller.call(method, parameters))
        guard method == ControlMethod.subscribe.rawValue else { return }
        while let line = try caller.nextNotification() {
            guard caller.write(line) else { return }
        }
    }
}

/// `sluice add URL…`: submits to a running Sluice.
struct AddCommand: ParsableCommand {
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
                let shown = RequestURL.withoutCredentials(url)
                caller.write(Array("\(outcome) \(shown): \(why)".withVisibleControls.utf8))
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

/// Which running Sluice is meant.
struct ControlPlace: ParsableArguments {
    @Option(help: ArgumentHelp("The socket of the one that is meant; by default the only one.", valueName: "path"))
    var socket: String?

    /// - Throws: ``ExitStatus`` after a message, if there is none or more than one.
    func path() throws -> String {
        if let socket { return socket }
        let folder = ControlFolder(environment: environment)
        let sockets = folder?.liveSockets() ?? []
        if let only = sockets.first, sockets.count == 1 { return only }
        guard sockets.isEmpty else {
            throw complain("several Sluices run; name one with --socket:\n  " + sockets.joined(separator: "\n  "))
        }
        throw complain(
            "no running Sluice was found\(folder.map { " in \($0.path)" } ?? ""); start one, or name its --socket",
            status: .failures
        )
    }
}

/// Makes calls and prints what comes back.
private struct ControlCaller {
    private let connection: ControlConnection

    init(_ place: ControlPlace) throws {
        let path = try place.path()
        do throws(ControlSocketError) {
            connection = try ControlConnection(path: path)
        } catch {
            throw complain(error.message, status: .failures)
        }
    }

    static func parameters(urls: [String]) -> String { ControlMethod.submitParameters(urls: urls) }

    /// - Returns: The result as JSON.
    /// - Throws: ``ExitStatus`` after a message, if it was refused.
    func call(_ method: String, _ parameters: String?) throws -> [UInt8] {
        do throws(ControlSocketError) {
            try connection.send(ControlMethod.line(id: 1, method: method, parameters: parameters))
        } catch {
            throw complain(error.message, status: .failures)
        }
        guard let line = connection.receive(), let answer = try? JSONValue(parsing: line[...]) else {
            throw complain("the connection ended without an answer", status: .failures)
        }
        if let error = answer["error"] {
            let code = error["code"]?.int.map { " (\($0))" } ?? ""
            throw complain("\(method): \(error["message"]?.string ?? "refused")\(code)", status: .failures)
        }
        // The result is what stands between the head and the last brace.
        let head = #"{"jsonrpc":"2.0","id":1,"result":"#.utf8
        guard line.starts(with: head) else { throw complain("the answer is none", status: .failures) }
        return Array(line.dropFirst(head.count).dropLast())
    }

    /// The next event as JSON; `nil` at the end.
    ///
    /// - Throws: ``ExitStatus`` after a message, if events were lost.
    func nextNotification() throws -> [UInt8]? {
        let head = #"{"jsonrpc":"2.0","method":"event","params":"#.utf8
        guard let line = connection.receive() else { return nil }
        guard line.starts(with: head) else {
            throw complain("too slow: events before the oldest that is kept are lost", status: .failures)
        }
        return Array(line.dropFirst(head.count).dropLast())
    }

    /// - Returns: Whether somebody still reads.
    @discardableResult
    func write(_ line: [UInt8]) -> Bool { EventWriter.writeAll(line + [UInt8(ascii: "\n")], to: STDOUT_FILENO) }
}
