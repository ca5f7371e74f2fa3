internal import SluiceControl
internal import SluiceCore

/// Makes calls and prints what comes back.
struct ControlCaller {
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

    /// The codes of calls that are wrong by themselves: no call, or parameters that the method does not take.
    private static let misuses = [-32600, -32602]

    /// Makes one call.
    ///
    /// - Parameters:
    ///   - method: As the socket calls it.
    ///   - parameters: Its parameters as JSON; `nil` for none.
    ///   - advice: How the call is made rightly, for whoever wrote it; empty where nobody did.
    /// - Returns: The result as JSON.
    /// - Throws: ``ExitStatus`` after a message, if it was refused.
    func call(_ method: String, _ parameters: String?, advice: String = "") throws -> [UInt8] {
        do throws(ControlSocketError) {
            try connection.send(ControlMethod.line(id: 1, method: method, parameters: parameters))
        } catch {
            throw complain(error.message, status: .failures)
        }
        if method != ControlMethod.wait.rawValue, !connection.hasInput(within: .seconds(2)) {
            note("no answer yet from \(connection.path): if the Sluice there is stopped, fg continues it")
        }
        guard let line = connection.receive(), let answer = try? JSONValue(parsing: line[...]) else {
            throw complain("the connection ended without an answer", status: .failures)
        }
        if let error = answer["error"] {
            let number = error["code"]?.int
            let code = number.map { " (\($0))" } ?? ""
            let isMisuse = number.map { Self.misuses.contains($0) } ?? false
            let message = error["message"]?.string ?? "refused"
            throw complain("\(method): \(message)\(code)\(isMisuse ? advice : "")", status: .failures)
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
    /// - Throws: ``ExitStatus`` after a message, if there is no room for it.
    @discardableResult
    func write(_ line: [UInt8]) throws -> Bool { try StandardOutput.write(line + [UInt8(ascii: "\n")]) }
}
