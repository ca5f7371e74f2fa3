import SluiceCore
import Testing

/// What a server shows, and what each policy must say of it; written by hand from the rules for trust (docs, Rules).
///
/// Each column is one of: validatesDomain; neither; allowInvalid and validatesDomain;
/// allowInvalid. A sign is `+` for accepted, or the rule that refuses. Signs within a
/// column are for the pins: none, leaf, intermediate, root, all three, a foreign one.
struct TrustMatrixRow: Sendable, CustomTestStringConvertible {
    struct Cell: Sendable {
        let policy: TrustPolicy
        /// `+`, or the rule that refuses.
        let expected: Character

        var name: String {
            "\(policy.pinning) \(policy.allowInvalid) \(policy.validatesDomain) \(policy.pins.count)"
        }
    }

    let chain: String
    /// Who is asked; `nil` is the host that the chain was made for.
    let host: String?
    private let none: String
    private let publicKey: [String]
    private let certificate: [String]

    init(_ chain: String, as host: String? = nil, _ none: String, _ publicKey: String, _ certificate: String) {
        (self.chain, self.host, self.none) = (chain, host, none)
        self.publicKey = publicKey.split(separator: " ").map(String.init)
        self.certificate = certificate.split(separator: " ").map(String.init)
    }

    var testDescription: String { host.map { "\(chain), asked as \($0)" } ?? chain }

    /// What the server of this row shows, and who is asked.
    func shown(_ world: TrustWorld) -> TrustWorld.Shown {
        var shown = world.chain(chain)
        if let host { shown.host = host }
        return shown
    }

    /// Every policy there is for what the server shows.
    func cells(_ shown: TrustWorld.Shown, _ world: TrustWorld) -> [Cell] {
        var cells: [Cell] = []
        for pinning in TrustPolicy.Pinning.allCases {
            for (column, flags) in TrustWorld.flags.enumerated() {
                for (place, pins) in shown.pins.enumerated() {
                    var policy = TrustPolicy()
                    (policy.pinning, policy.pins) = (pinning, pins)
                    (policy.allowInvalid, policy.validatesDomain) = flags
                    policy.authorities = world.authorities
                    let expected: Character =
                        switch pinning {
                        case .none: Array(none)[column]
                        case .publicKey: Array(publicKey[column])[place]
                        case .certificate: Array(certificate[column])[place]
                        }
                    cells.append(Cell(policy: policy, expected: expected))
                }
            }
        }
        return cells
    }

    /// Each chain, asked as the host that it was made for; ``TrustWorld/chain(_:)`` says which that is.
    static let all = [
        //                          none   publicKey                     certificate
        TrustMatrixRow("valid", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        TrustMatrixRow("self-signed", "331+", "444444 444444 1+66+6 6+66+6", "444444 444444 1+55+5 5+55+5"),
        TrustMatrixRow("expired", "331+", "444444 444444 1++++6 6++++6", "444444 444444 155555 555555"),
        TrustMatrixRow("not yet valid", "331+", "444444 444444 1++++6 6++++6", "444444 444444 155555 555555"),
        TrustMatrixRow("wrong name", "2+1+", "222222 6++++6 122222 6++++6", "222222 5++++5 122222 5++++5"),
        TrustMatrixRow("name in CN only", "2+1+", "222222 6++++6 122222 6++++6", "222222 5++++5 122222 5++++5"),
        TrustMatrixRow("missing intermediate", "331+", "444444 444444 1+66+6 6+66+6", "444444 444444 1++5+5 5++5+5"),
        TrustMatrixRow("untrusted root", "331+", "444444 444444 1++++6 6++++6", "444444 444444 1++++5 5++++5"),
        TrustMatrixRow("IP address", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        TrustMatrixRow("wildcard", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        TrustMatrixRow("many names", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        TrustMatrixRow("root not sent", "++1+", "6++++6 6++++6 1++++6 6++++6", "5++++5 5++++5 1++++5 5++++5"),
        // Whoever has a certificate of a pinned authority is none himself.
        // Compared as a certificate, a pinned one is no anchor where what was sent above it may not sign.
        TrustMatrixRow("signed by a leaf", "331+", "444444 444444 1+66+6 6+66+6", "444444 444444 155555 555555"),
        // The two ways to show a pinned certificate that vouches for nothing.
        TrustMatrixRow(
            "pinned certificates appended",
            "331+",
            "444444 444444 166666 666666",
            "444444 444444 155555 555555"
        ),
        TrustMatrixRow(
            "issuer claimed, not signed",
            "331+",
            "444444 444444 166666 666666",
            "444444 444444 155555 555555"
        ),
    ]

    /// Each chain, asked as somebody else.
    ///
    /// A name that the certificate has not is refused as such only where the chain is excused, or valid.
    static let asOthers = [
        TrustMatrixRow(
            "valid",
            as: "third.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "valid",
            as: "127.0.0.1",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "self-signed",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 6+66+6",
            "444444 444444 122222 5+55+5"
        ),
        TrustMatrixRow(
            "expired",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 6++++6",
            "444444 444444 122222 555555"
        ),
        TrustMatrixRow(
            "not yet valid",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 6++++6",
            "444444 444444 122222 555555"
        ),
        TrustMatrixRow(
            "wrong name",
            as: "third.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "wrong name",
            as: "other.localhost",
            "++1+",
            "6++++6 6++++6 1++++6 6++++6",
            "5++++5 5++++5 1++++5 5++++5"
        ),
        TrustMatrixRow(
            "name in CN only",
            as: "third.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "missing intermediate",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 6+66+6",
            "444444 444444 122222 5++5+5"
        ),
        TrustMatrixRow(
            "untrusted root",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 6++++6",
            "444444 444444 122222 5++++5"
        ),
        TrustMatrixRow(
            "IP address",
            as: "127.0.0.2",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "IP address",
            as: "good.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "wildcard",
            as: "b.wild.localhost",
            "++1+",
            "6++++6 6++++6 1++++6 6++++6",
            "5++++5 5++++5 1++++5 5++++5"
        ),
        TrustMatrixRow(
            "wildcard",
            as: "wild.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "wildcard",
            as: "a.b.wild.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "wildcard",
            as: "a.tame.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "many names",
            as: "a.localhost",
            "++1+",
            "6++++6 6++++6 1++++6 6++++6",
            "5++++5 5++++5 1++++5 5++++5"
        ),
        TrustMatrixRow(
            "many names",
            as: "third.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "root not sent",
            as: "third.localhost",
            "2+1+",
            "222222 6++++6 122222 6++++6",
            "222222 5++++5 122222 5++++5"
        ),
        TrustMatrixRow(
            "pinned certificates appended",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 666666",
            "444444 444444 122222 555555"
        ),
        TrustMatrixRow(
            "issuer claimed, not signed",
            as: "third.localhost",
            "331+",
            "444444 444444 122222 666666",
            "444444 444444 122222 555555"
        ),
    ]
}
