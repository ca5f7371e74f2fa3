/// What a pasted text holds: URLs to add, and how much of it was meant as a URL and can't be taken.
///
/// Never holds what was refused: that may be long, and only its number and the reasons are told.
struct PastedURLs: Equatable, Sendable {
    /// In order, equal ones too.
    var urls: [String] = []
    private(set) var refused = 0
    /// Why, each reason once; at most ``reasonLimit``.
    private(set) var reasons: [String] = []

    /// As many as a sentence can hold; with that many it no longer tells them.
    static let reasonLimit = 3

    mutating func refuse(_ reason: String) {
        refused += 1
        guard reasons.count < Self.reasonLimit else { return }
        let reason = Elision.end(reason, 80)
        if !reasons.contains(reason) { reasons.append(reason) }
    }

    /// `1 refused: ftp:// is not supported`; `nil` if all that was meant as a URL is one.
    var refusal: String? {
        refused > 0 ? "\(Format.count(refused)) refused: \(reasons.joined(separator: " or "))" : nil
    }
}
