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
        append(time.year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(time.month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(time.day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        appendTimeOfDay(time, milliseconds: milliseconds, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Appends the time of day alone.
    static func appendTimeOfDay(nanosecondsSince1970 nanoseconds: Int64, to bytes: inout [UInt8]) {
        let (seconds, milliseconds) = split(nanoseconds)
        appendTimeOfDay(CivilTime(secondsSince1970: seconds), milliseconds: milliseconds, to: &bytes)
    }

    private static func appendTimeOfDay(_ time: CivilTime, milliseconds: Int, to bytes: inout [UInt8]) {
        append(time.hour, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time.minute, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time.second, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        append(milliseconds, digits: 3, to: &bytes)
    }

    private static func split(_ nanoseconds: Int64) -> (seconds: Int, milliseconds: Int) {
        let rest = nanoseconds % 1_000_000_000
        let isBefore = rest < 0
        let seconds = Int(nanoseconds / 1_000_000_000) - (isBefore ? 1 : 0)
        return (seconds, Int(isBefore ? rest + 1_000_000_000 : rest) / 1_000_000)
    }

    /// The last digits of a number, leading zeros included.
    static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
