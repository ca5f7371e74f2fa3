/// What a pasted text holds: URLs to add, and how much of it was meant as a URL and can't be taken.
///
/// Never holds what was refused: that may be long, and only its number and the reasons are told.
struct PastedURLs: Equatable, Sendable {
    /// In order, equal ones too.
    var urls: [String] = []
    private(set) var refused = 0
    /// Why, each reason once; at most ``reasonLimit``.
    private(set) var reasons: [String] = []
    /// What a copied command gives besides its URLs, and is not taken.
    var note: String?

    /// The host of the first, and how many others there are, once ``countHosts()`` looked.
    private(set) var firstHost: String?
    private(set) var otherHosts = 0

    /// More than there are kinds of mistakes in most texts.
    static let reasonLimit = 8

    /// Looks whose they are: once, since they may be many and are asked about for as long as nobody answers.
    mutating func countHosts() {
        func host(_ url: String) -> String { URLText.host(of: URLText.withoutCredentials(url)) }
        let hosts = Set(urls.map(host))
        firstHost = urls.first.map(host)
        otherHosts = max(0, hosts.count - 1)
    }

    mutating func refuse(_ reason: String) {
        refused += 1
        guard reasons.count < Self.reasonLimit else { return }
        // What follows is the cure, for who mends one URL; among others the reason alone is told.
        let fault = reason.firstRange(of: "; ").map { String(reason[..<$0.lowerBound]) } ?? reason
        let told = Elision.end(fault, 80)
        if !reasons.contains(told) { reasons.append(told) }
    }

    /// `1 refused: ftp:// is not supported`; `nil` if all that was meant as a URL is one.
    var refusal: String? {
        refused > 0 ? "\(Format.count(refused)) refused: \(reasons.joined(separator: " or "))" : nil
    }

    /// All that is told of a paste beside its URLs; `nil` if they are all of it.
    var remark: String? {
        let parts = [refusal, note].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
