/// Writes moments as `2026-01-31T12:41:06.123Z`.
///
/// - SeeAlso: RFC 3339 §5.6
public enum RFC3339 {
    /// Writes a moment of the years 0 to 9999; what is below a millisecond is cut off.
    public static func text(nanosecondsSince1970 nanoseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(nanosecondsSince1970: nanoseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same, behind what is there already.
    public static func append(nanosecondsSince1970 nanoseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, milliseconds) = split(nanoseconds)
        let time = CivilTime(secondsSince1970: seconds)
        let start = bytes.count
        bytes.append(contentsOf: "0000-00-00T00:00:00.000Z".utf8)
        var output = bytes.mutableSpan
        output.fill(time.year, digits: 4, before: start + 4)
        output.fill(time.month, digits: 2, before: start + 7)
        output.fill(time.day, digits: 2, before: start + 10)
        fillTimeOfDay(time, milliseconds, from: start + 11, in: &output)
    }

    /// Appends the time of day alone.
    static func appendTimeOfDay(nanosecondsSince1970 nanoseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, milliseconds) = split(nanoseconds)
        let start = bytes.count
        bytes.append(contentsOf: "00:00:00.000".utf8)
        var output = bytes.mutableSpan
        fillTimeOfDay(CivilTime(secondsSince1970: seconds), milliseconds, from: start, in: &output)
    }

    private static func fillTimeOfDay(
        _ time: CivilTime,
        _ milliseconds: Int,
        from start: Int,
        in output: inout MutableSpan<UInt8>
    ) {
        output.fill(time.hour, digits: 2, before: start + 2)
        output.fill(time.minute, digits: 2, before: start + 5)
        output.fill(time.second, digits: 2, before: start + 8)
        output.fill(milliseconds, digits: 3, before: start + 12)
    }

    private static func split(_ nanoseconds: Int64) -> (seconds: Int, milliseconds: Int) {
        let rest = nanoseconds % 1_000_000_000
        let isBefore = rest < 0
        let seconds = Int(nanoseconds / 1_000_000_000) - (isBefore ? 1 : 0)
        return (seconds, Int(isBefore ? rest + 1_000_000_000 : rest) / 1_000_000)
    }
}

extension MutableSpan<UInt8> {
    /// Writes the last digits of a number, leading zeros included, over what ends before `end`.
    mutating func fill(_ value: Int, digits: Int, before end: Int) {
        var rest = value
        for place in stride(from: end - 1, through: end - digits, by: -1) {
            self[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
