internal import SluiceCore

/// Finds whole requests in the bytes of a connection.
///
/// Reads what well-behaved clients send; anything else is `broken`, and the
/// connection ends. It never answers.
struct RequestParser {
    /// The parts of a request before its body.
    struct Head {
        var method: String
        var target: String
        var version: String
        var headers: [HeaderField]
        var bodyLength: Int

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    }

    enum Step {
        case needsMore
        case broken
        case head(Head)
    }

    private static let longestHead = 65_536
    private static let longestBody = 16 << 20

    private var buffer: [UInt8] = []

    mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// Takes the next head out of the buffer.
    mutating func takeHead() -> Step {
        guard let end = endOfHead() else { return buffer.count > Self.longestHead ? .broken : .needsMore }
        let text = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 4)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let start = lines[0].split(separator: " ").map(String.init)
        guard start.count == 3, start[2].hasPrefix("HTTP/1.") else { return .broken }
        var head = Head(method: start[0], target: start[1], version: start[2], headers: [], bodyLength: 0)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return .broken }
            let value = line[line.index(after: colon)...].trimmingSpaces()
            head.headers.append(HeaderField(String(line[..<colon]), String(value)))
        }
        if let length = head.header("content-length") {
            guard let count = Int(length), (0...Self.longestBody).contains(count) else { return .broken }
            head.bodyLength = count
        }
        return .head(head)
    }

    /// Takes a body out of the buffer, or `nil` while it is not complete.
    mutating func takeBody(_ count: Int) -> [UInt8]? {
        guard buffer.count >= count else { return nil }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func endOfHead() -> Int? {
        guard buffer.count >= 4 else { return nil }
        let end: [UInt8] = [13, 10, 13, 10]
        return (0...buffer.count - 4).first { buffer[$0] == 13 && buffer[$0..<$0 + 4].elementsEqual(end) }
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        let front = drop { $0 == " " || $0 == "\t" }
        let length = front.reversed().drop { $0 == " " || $0 == "\t" }.count
        return front.prefix(length)
    }
}
