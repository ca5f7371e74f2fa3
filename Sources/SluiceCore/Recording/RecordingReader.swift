/// Reads a log of events line by line, in pieces of any size.
///
/// Never holds more of the text than one line, which is bounded. A last line that is cut
/// off is left out: whoever wrote it was killed. So is a first line that answers `subscribe`,
/// which `sluice ctl` prints before the events.
public struct RecordingReader: Sendable {
    /// The longest line that is taken, in bytes.
    public static let lineLimit = 16_777_216

    private var recording: Recording?
    private var decoder: EventDecoder?
    private var rest: [UInt8] = []
    /// Lines so far.
    private var line = 0
    private var lastSeq = 0

    /// Expects the first bytes of a file.
    public init() {}

    /// - Throws: For a line that is no event, and for one that is too long.
    public mutating func add(_ bytes: ArraySlice<UInt8>) throws(RecordingError) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if rest.isEmpty {
                try take(bytes[start..<end])
            } else {
                rest.append(contentsOf: bytes[start..<end])
                let whole = rest
                rest.removeAll(keepingCapacity: true)
                try take(whole[...])
            }
            start = end + 1
        }
        rest.append(contentsOf: bytes[start...])
        guard rest.count <= Self.lineLimit else {
            let limit = ByteCount.text(Self.lineLimit)
            throw RecordingError(
                line: line + 1,
                message: "it is longer than \(limit), which no event is: cut the file before this line"
            )
        }
    }

    /// The recording, once everything was added.
    ///
    /// - Throws: If there was no event.
    public consuming func finish() throws(RecordingError) -> Recording {
        var cutOffLine: Int?
        if !rest.isEmpty {
            let whole = rest
            do throws(RecordingError) {
                try take(whole[...])
            } catch {
                cutOffLine = error.line
            }
        }
        guard var recording, recording.count > 0 else {
            let problem =
                cutOffLine == nil ? "there is no event in it" : "it is no whole event, and none stands before it"
            throw RecordingError(
                line: cutOffLine,
                message: "\(problem); record one with --events FILE, which get, demo and the dashboard take"
            )
        }
        recording.cutOffLine = cutOffLine
        return recording
    }

    private mutating func take(_ text: ArraySlice<UInt8>) throws(RecordingError) {
        line += 1
        guard text.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return }
        do throws(EventDecodingError) {
            let value = try Self.parsed(text)
            if line == 1, Self.isAnswer(value) { return }
            try takeEvent(value)
        } catch {
            throw RecordingError(line: line, message: "\(error.message); replay takes what --events wrote, unchanged")
        }
    }

    private static func parsed(_ text: ArraySlice<UInt8>) throws(EventDecodingError) -> JSONValue {
        do throws(JSONValue.ParseError) {
            return try JSONValue(parsing: text)
        } catch {
            throw EventDecodingError("it is no JSON: \(error.description)")
        }
    }

    /// Whether it is what `subscribe` answers, and nothing else.
    private static func isAnswer(_ value: JSONValue) -> Bool {
        value.object?.count == 1 && value["seq"]?.int != nil
    }

    private mutating func takeEvent(_ value: JSONValue) throws(EventDecodingError) {
        if decoder == nil {
            let start = try EventDecoder.start(of: value)
            decoder = EventDecoder(start: start)
            recording = Recording(start: start)
        }
        guard let event = try decoder?.decode(value) else { return }
        guard event.seq > lastSeq else {
            throw EventDecodingError("another session begins here: give each a file of its own")
        }
        lastSeq = event.seq
        guard (recording?.count ?? 0) < Recording.limit else {
            throw EventDecodingError("there are more than \(Recording.limit) events: cut the file before this line")
        }
        recording?.append(event)
    }
}
