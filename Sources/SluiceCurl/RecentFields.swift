import SluiceCore

/// The fields of the last head of a connection's handle, by their places in it.
///
/// Answers of one server repeat most of their fields, byte for byte: those share the
/// strings that were made for the head before, which saves most of the cost of a head.
struct RecentFields {
    private struct Line {
        var bytes: [UInt8]
        var field: HeaderField
    }

    /// A head of more fields, or a longer line, is rare; its rest is not remembered.
    private static let limits = (lines: 32, bytes: 256)
    private var lines: [Line] = []

    /// Makes a field of one line.
    ///
    /// - Parameters:
    ///   - place: Of the line in its head, from 0.
    ///   - line: All of it.
    ///   - name: The part before the colon.
    ///   - value: The part behind it, without blanks around it.
    /// - Returns: The field that the line says, whatever was remembered.
    mutating func field(
        at place: Int,
        _ line: Span<UInt8>,
        _ name: Span<UInt8>,
        _ value: Span<UInt8>
    ) -> HeaderField {
        if place < lines.count {
            let known = lines[place]
            if known.bytes.span.isEqual(to: line) { return known.field }
        } else if place > lines.count || place == Self.limits.lines {
            return HeaderField(name.text, value.text)
        }
        let field = HeaderField(name.text, value.text)
        if line.count > Self.limits.bytes { return field }
        if place == lines.count {
            lines.append(Line(bytes: [], field: field))
        } else {
            lines[place].field = field
            lines[place].bytes.removeAll(keepingCapacity: true)
        }
        unsafe line.withUnsafeBufferPointer { unsafe lines[place].bytes.append(contentsOf: $0) }
        return field
    }
}
