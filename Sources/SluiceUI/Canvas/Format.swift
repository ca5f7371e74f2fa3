internal import SluiceCore

/// Figures as the screen writes them: a number and its unit apart, since they have different weights.
///
/// Sizes and rates are 1024-based, times `m:ss`. Takes any value, also absurd ones from servers.
public enum Format {
    /// A number and its unit.
    public struct Figure: Equatable, Sendable {
        var number: String
        var unit: String
        /// Both, with a space between.
        public var text: String { "\(number) \(unit)" }
    }

    /// `5.9 MiB`, `61 KiB`, `612 B`, `247 MiB`.
    public static func bytes(_ count: Int) -> Figure {
        let scale = scale(of: count)
        return Figure(number: number(count, scale), unit: units[scale])
    }

    /// As ``bytes(_:)``, with a fraction up to 999.9, for levels that are compared.
    static func level(_ count: Int) -> Figure {
        let scale = scale(of: count)
        guard scale > 1 else { return bytes(count) }
        var value = Double(max(0, count))
        for _ in 0..<scale { value /= 1_024 }
        let tenths = Int((value * 10).rounded())
        return Figure(number: "\(tenths / 10).\(tenths % 10)", unit: units[scale])
    }

    /// As ``bytes(_:)``, without a fraction that is zero: `100 MiB`.
    static func limit(_ count: Int) -> Figure {
        var figure = bytes(count)
        if figure.number.hasSuffix(".0") { figure.number.removeLast(2) }
        return figure
    }

    /// What is used of a capacity: `84.1` and ` of 100 MiB` in the unit of that, without one `469` and ` KiB · no limit`.
    static func usage(_ used: Int, of capacity: Int) -> (number: String, rest: String) {
        guard capacity > 0 else {
            let figure = bytes(used)
            return (figure.number, " \(figure.unit) · no limit")
        }
        return (number(used, likeLimit: capacity), " of \(limit(capacity).text)")
    }

    /// `31.2/38.0 MiB` in the unit of the total, `28.4/? MiB` if that is unknown; `12M/1.9 GiB` where that unit would
    /// show nothing of what is done, which may take minutes.
    static func progress(_ done: Int, of total: Int?) -> Figure {
        guard let total else {
            let figure = bytes(done)
            return Figure(number: "\(figure.number)/?", unit: figure.unit)
        }
        let scale = scale(of: max(total, done))
        let text = number(done, scale)
        let isTiny = text == "0.0" && done > 0
        return Figure(number: "\(isTiny ? short(done) : text)/\(number(total, scale))", unit: units[scale])
    }

    /// `12M`, `819K`, `12B`: whole, with the first letter of its unit.
    private static func short(_ count: Int) -> String {
        let scale = scale(of: count)
        let value = (0..<scale).reduce(Double(count)) { value, _ in value / 1_024 }
        return "\(Int(value.rounded()))\(units[scale].prefix(1))"
    }

    /// The figure of `count` in the unit that `other` has, without a fraction that is zero.
    static func number(_ count: Int, likeLimit other: Int) -> String {
        let text = number(count, scale(of: other))
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// `4.6 MiB/s`, `819 KiB/s`, `<1 KiB/s`; never in bytes, which change too often to be read, and no rate as none.
    public static func rate(_ bytesPerSecond: Int) -> Figure {
        let count = max(0, bytesPerSecond)
        let scale = max(1, scale(of: count))
        let kibibytes = (1..<512).contains(count) ? "<1" : "\((count + 512) / 1_024)"
        return Figure(number: scale == 1 ? kibibytes : number(count, scale), unit: units[scale] + "/s")
    }

    /// A rate in the unit of its limit, and the limit without a fraction that is zero: `49` and `50 KiB/s`.
    ///
    /// In bytes below one KiB: no limit that there is reads as none.
    static func rate(_ bytesPerSecond: Int, of limit: Int) -> (rate: String, limit: Figure) {
        let scale = scale(of: limit)
        func text(_ count: Int) -> String {
            let text = number(count, scale)
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        return (text(bytesPerSecond), Figure(number: text(limit), unit: units[scale] + "/s"))
    }

    /// A rate in four cells at most, at the axis of a graph: `12M`, `1.2M`, `819K`.
    static func axis(_ bytesPerSecond: Int) -> String {
        let count = max(0, bytesPerSecond)
        // Four digits would not fit.
        let figure = (1_023_488..<1_048_576).contains(count) ? rate(1_048_576) : rate(count)
        let number = figure.number.count > 3 ? Double(figure.number).map { "\(Int($0.rounded()))" } : figure.number
        return (number ?? figure.number) + String(figure.unit.prefix(1))
    }

    /// `0:41`, `1:02:03`; `–` for nothing that a person waits for.
    static func time(_ duration: Duration) -> String {
        let seconds = max(0, Int(clamping: duration.components.seconds))
        guard seconds < 360_000 else { return "–" }
        let minutes = seconds / 60
        guard minutes >= 60 else { return "\(minutes):\(two(seconds % 60))" }
        return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
    }

    /// `0:41`, `2h46`, `56h41`, `4d12h`, `12d`: a time in five cells, for columns that have no more.
    static func shortTime(_ duration: Duration) -> String {
        let minutes = max(0, Int(clamping: duration.components.seconds)) / 60
        let (hours, days) = (minutes / 60, minutes / 1_440)
        if hours < 1 { return time(duration) }
        if hours < 100 { return "\(hours)h\(two(minutes % 60))" }
        return days < 10 ? "\(days)d\(hours % 24)h" : "\(days)d"
    }

    /// `0.1 s`, `0.7 s`, `12 s`, `1:04`: how long something took, which is never told as nothing if it took any time.
    public static func seconds(_ duration: Duration) -> String {
        tenths(duration > .zero ? max(duration, .milliseconds(100)) : duration)
    }

    /// `0 s`, `0.7 s`, `12 s`, `1:04`: for times that go on while they are looked at, down to nothing.
    static func tenths(_ duration: Duration) -> String {
        let tenths = duration.rounded(inUnitsOf: 100_000_000)
        if tenths < 100, tenths % 10 > 0 { return "\(tenths / 10).\(tenths % 10) s" }
        return tenths < 600 ? "\(tenths / 10) s" : time(duration)
    }

    /// `2 s`, rounded up so that it ends with 1, from ten seconds on `0:12`.
    static func countdown(_ duration: Duration) -> String {
        let (whole, rest) = max(0, duration.nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = rest > 0 ? whole + 1 : whole
        return seconds < 10 ? "\(seconds) s" : time(.seconds(seconds))
    }

    /// 12,345 as `12,345`.
    static func count(_ count: Int) -> String {
        guard count >= 10_000 else { return String(count) }
        var digits = String(count)
        var index = digits.index(digits.endIndex, offsetBy: -3)
        while index > digits.startIndex {
            digits.insert(",", at: index)
            guard digits.distance(from: digits.startIndex, to: index) > 3 else { break }
            index = digits.index(index, offsetBy: -3)
        }
        return digits
    }

    /// `1 image`, `2 images`.
    static func plural(_ count: Int, _ noun: String) -> String {
        "\(self.count(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    private static func scale(of count: Int) -> Int {
        var (scale, rest) = (0, Double(max(0, count)))
        while rest >= 1_023.5, scale < units.count - 1 { (scale, rest) = (scale + 1, rest / 1_024) }
        return scale
    }

    private static func number(_ count: Int, _ scale: Int) -> String {
        var value = Double(max(0, count))
        for _ in 0..<scale { value /= 1_024 }
        let digits = scale == 0 || value >= 99.95 || (scale == 1 && value >= 9.95)
        if digits { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
