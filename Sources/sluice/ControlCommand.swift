internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// `sluice ctl METHOD [JSON]`: one call to a running Sluice.
struct ControlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Talk to a running Sluice.",
        discussion: """
            Prints the result as a line of JSON; subscribe goes on with the events, one a line, \
            to session.ended. Exit status: 0, or 1 after an error. Methods and what they take:

            \(ControlMethod.allCases.map { "  \($0.rawValue) \($0.parameters)" }.joined(separator: "\n"))
            """
    )

    @Argument(
        help: ArgumentHelp("What to do.", valueName: "method"),
        completion: .list(ControlMethod.allCases.map(\.rawValue))
    )
    var method: String

    @Argument(help: ArgumentHelp("Its parameters, a JSON object.", valueName: "json"))
    var parameters: String?

    @OptionGroup var place: ControlPlace

    func run() throws {
        if let parameters {
            do throws(JSONValue.ParseError) {
                _ = try JSONValue(parsing: parameters)
            } catch {
                throw complain("\(parameters) is no JSON: \(error)\(advice)", status: .failures)
            }
        }
        let caller = try ControlCaller(place)
        try caller.write(try caller.call(method, parameters, advice: advice))
        guard method == ControlMethod.subscribe.rawValue else { return }
        var last: [UInt8] = []
        while let line = try caller.nextNotification() {
            guard try caller.write(line) else { return }
            last = line
        }
        guard (try? JSONValue(parsing: last[...]))?["event"]?.string != "session.ended" else { return }
        throw complain(
            "the connection ended before session.ended: Sluice was killed, or was gone before all of it was read",
            status: .failures
        )
    }

    /// A right call of the method, on a line of its own to be copied; empty where nobody knows the method.
    private var advice: String {
        guard let known = ControlMethod(rawValue: method) else { return "" }
        let example = known.example.map { " '\($0)'" } ?? ""
        return "; as in:\n  sluice ctl \(known.rawValue)\(example)"
    }
}
