internal import SluiceCore

/// The command that raises the limit which refused a body.
struct LimitCommand: Equatable {
    /// As it is typed; without a number where nobody knows how much is enough, or the setting takes none so large.
    let text: String

    init(raising limit: DownloadError.Limit) {
        let setting = limit.setting.rawValue
        let enough = limit.needed.map(Self.roundedUp).flatMap { Settings.allows($0, as: setting) ? String($0) : nil }
        let placeholder = Settings.kind(of: setting)?.isSize == true ? "SIZE" : "NUMBER"
        text = ":\(setting) \(enough ?? placeholder)"
    }

    /// To two figures, which are typed more easily: 132,000,000 as 140,000,000.
    private static func roundedUp(_ count: Int) -> Int {
        var (rest, unit) = (count, 1)
        while rest > 99 { (rest, unit) = (rest / 10 + (rest % 10 > 0 ? 1 : 0), unit * 10) }
        let (rounded, isOver) = rest.multipliedReportingOverflow(by: unit)
        return isOver ? .max : rounded
    }
}
