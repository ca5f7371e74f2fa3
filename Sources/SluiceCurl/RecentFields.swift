import SluiceCore

/// The fields of the last head of a connection's handle, by their places in it.
///
/// Answers of one server repeat most of their fields, byte for byte: those are not read
/// again, and share their strings, which saves most of the cost of a head.
struct RecentFields {
    private struct Line {
        var bytes: [UInt8] = []
        var meaning = FieldMeaning.nothing
        /// Made when it was wanted first.
        var field: HeaderField?

        /// The same line again, looked at where it is: a copy would count each of its texts.
        ///
        /// - Returns: What it says; `nil` for another line.
        mutating func repeated(
            by line: Span<UInt8>,
            wantsField: Bool,
            into fields: inout [HeaderField]
        ) -> FieldMeaning? {
            guard bytes.span.isEqual(to: line) else { return nil }
            guard wantsField else { return meaning }
            if case .none = field { field = RecentFields.field(line) }
            if let field { fields.append(field) }
            return meaning
        }
    }

    /// A head of more fields, or a longer line, is rare; its rest is not remembered.
    private static let limits = (lines: 32, bytes: 256)
    private var lines: [Line] = []

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: With its end.
    ///   - place: Of the line in its head, from 0.
    ///   - wantsField: Whether the field itself is wanted too.
    ///   - fields: Gets it then.
    /// - Returns: What the line says, whatever was remembered; `nil` for one without a name.
    mutating func read(
        _ line: Span<UInt8>,
        at place: Int,
        wantsField: Bool,
        into fields: inout [HeaderField]
    ) -> FieldMeaning? {
        if place < lines.count,
            let meaning = lines[place].repeated(by: line, wantsField: wantsField, into: &fields)
        {
            return meaning
        }
        guard let (name, value) = Self.parts(line) else { return nil }
        let meaning = FieldMeaning(line.extracting(name), line.extracting(value))
        let field = wantsField ? Self.field(line) : nil
        if let field { fields.append(field) }
        remember(line, at: place, meaning, field)
        return meaning
    }

    private mutating func remember(
        _ line: Span<UInt8>,
        at place: Int,
        _ meaning: FieldMeaning,
        _ field: HeaderField?
    ) {
        if place > lines.count || place == Self.limits.lines || line.count > Self.limits.bytes { return }
        if place == lines.count { lines.append(Line()) }
        (lines[place].meaning, lines[place].field) = (meaning, field)
        lines[place].bytes.removeAll(keepingCapacity: true)
        unsafe line.withUnsafeBufferPointer { unsafe lines[place].bytes.append(contentsOf: $0) }
    }

    private static func field(_ line: Span<UInt8>) -> HeaderField? {
        parts(line).map { HeaderField(line.extracting($0.name).text, line.extracting($0.value).text) }
    }

    /// The part before the colon, and the part behind it without blanks around it.
    private static func parts(_ line: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }), colon > 0 else { return nil }
        let value = line.extracting((colon + 1)...).trimmed
        return (0..<colon, (colon + 1 + value.lowerBound)..<(colon + 1 + value.upperBound))
    }
}
