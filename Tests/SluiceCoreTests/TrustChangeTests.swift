import SluiceCore
import Testing

/// Changes of trust while requests run, and the sections that keep pins.
struct TrustChangeTests {
    private let one = TrustPin.key(sha256: Array(repeating: 1, count: 32))
    private let two = TrustPin.key(sha256: Array(repeating: 2, count: 32))

    @Test func aPinJoinsWhatHoldsForTheHost() throws {
        var lenient = TrustPolicy()
        (lenient.allowInvalid, lenient.validatesDomain) = (true, false)
        let book = TrustBook(entries: [], fallback: lenient)

        let pinned = try book.changed(by: .pin(try hostPattern("a.example"), [one]))
        let again = try pinned.changed(by: .pin(try hostPattern("a.example"), [two]))

        let policy = try #require(pinned.policy(of: try hostPattern("a.example")))
        #expect(policy.pinning == .publicKey && policy.pins == [one])
        #expect(policy.allowInvalid && !policy.validatesDomain, "lenience stays, and the pin holds under it")
        #expect(again.policy(host: "a.example", port: 443).pins == [one, two])
        #expect(again.policy(host: "b.example", port: 443) == lenient)
        #expect(book.entries.isEmpty, "a book never changes")
    }

    @Test func aSetPolicyReplacesAndARemovedOneIsGone() throws {
        let file = CertificateFile(path: "ca.pem", certificates: [EncodedCertificate(bytes: [1], place: "ca.pem:1")])
        var own = TrustPolicy()
        own.authorities = file
        let book = TrustBook(entries: [], fallback: own)
        let host = try hostPattern("a.example:8443")
        var policy = TrustPolicy()
        (policy.pinning, policy.pins) = (.publicKey, [one])

        let set = try book.changed(by: .set(host, policy))
        #expect(set.policy(host: "a.example", port: 8_443).pins == [one])
        #expect(set.policy(host: "a.example", port: 8_443).authorities == file, "as a section of the configuration")
        #expect(set.policy(host: "a.example", port: 443) == own)
        let replaced = try set.changed(by: .set(host, TrustPolicy()))
        #expect(replaced.policy(of: host)?.pins == [])
        let removed = try replaced.changed(by: .remove(host))
        #expect(removed == book && removed.policy(of: host) == nil)
        #expect(try removed.changed(by: .remove(.all)).isStandard)
    }

    @Test func whatCantBeMeantChangesNothing() throws {
        var policy = TrustPolicy()
        policy.pinning = .certificate
        let host = try hostPattern("a.example")
        let wanted = policy
        #expect(throws: TrustError.self) { try TrustBook.standard.changed(by: .set(host, wanted)) }
        let encoded = EncodedCertificate(bytes: [1], place: "a.pem:1")
        policy.pins = [.certificate(encoded)]
        let book = try TrustBook.standard.changed(by: .set(host, policy))
        #expect(throws: TrustError.self) { try book.changed(by: .pin(host, [one])) }
    }

    @Test func everyPolicyIsTriedOnce() {
        #expect(TrustTrial.all(certificates: 0).count == 4)
        let trials = TrustTrial.all(certificates: 3)
        #expect(trials.count == 4 + 2 * 3 * 4 && Set(trials).count == trials.count)
        #expect(TrustTrial.all(certificates: 100).count == 4 + 2 * TrustTrial.placeLimit * 4)
    }

    @Test func aTrialPinsTheCertificateItIsAbout() {
        let certificates = [1, 2].map { EncodedCertificate(bytes: [$0], place: "chain") }
        let trial = TrustTrial(.certificate, allowInvalid: true, validatesDomain: false, place: 1)

        let policy = trial.policy(certificates, authorities: nil)

        #expect(policy.pinning == .certificate && policy.pins == [.certificate(certificates[1])])
        #expect(policy.allowInvalid && !policy.validatesDomain)
        let open = TrustTrial(.none, allowInvalid: false, validatesDomain: true, place: 1)
        #expect(open.place == 0 && open.policy(certificates, authorities: nil) == .standard)
    }

    @Test func aSectionSaysWhatItsPredecessorSaid() throws {
        var base = TrustPolicy()
        base.validatesDomain = false
        base.authorities = CertificateFile(path: "/a \"b\"\\c\u{1B}.pem", certificates: [])
        base.client = ClientIdentity(
            chain: CertificateFile(path: "/me.pem", certificates: []),
            key: [1],
            keyPlace: "/me.key:1",
            isForNamedHosts: true
        )

        let section = TrustSectionText(host: "a.example", pins: ["sha256/A", "sha256/B"], over: base)

        #expect(
            section.lines == [
                "[[trust]]", "host = \"a.example\"", "pins = [", "    \"sha256/A\",", "    \"sha256/B\",", "]",
                "validatesDomain = false",
                "cacert = \"/a \\\"b\\\"\\\\c\\u001B.pem\"", "cert = \"/me.pem\"", "key = \"/me.key\"",
            ]
        )
        let read = try ConfigurationFile(path: "c.toml", bytes: section.appendix(to: []))
        let entries = try #require(try read.tables("trust").first?.entries)
        #expect(entries.first { $0.key == "pins" }?.node.strings == ["sha256/A", "sha256/B"])
        #expect(entries.first { $0.key == "cacert" }?.node.string == base.authorities?.path)
    }

    @Test(arguments: [("", ""), ("a = 1\n", "\n"), ("a = 1", "\n\n"), ("[keys]\r\n", "\n")])
    func aSectionBeginsOnALineOfItsOwn(before: String, start: String) {
        let section = TrustSectionText(host: "a", pins: [], over: .standard)
        #expect(section.appendix(to: Array(before.utf8)) == Array("\(start)[[trust]]\nhost = \"a\"\npins = []\n".utf8))
    }

    @Test func aCertificateSaysWhenItEnds() {
        var certificate = TrustChain.Certificate(
            subject: "a",
            issuer: "b",
            names: [],
            notBefore: 1_000,
            notAfter: 1_000 + 30 * 86_400,
            key: "EC P-256",
            pin: "sha256/A"
        )
        #expect(certificate.warning(at: 999) == "not valid yet")
        #expect(certificate.warning(at: 1_000) == nil)
        certificate.notAfter = 1_000 + 86_400
        #expect(
            certificate.warning(at: 1_000) == "ends in 1 day" && certificate.warning(at: 1_001) == "ends within a day"
        )
        #expect(certificate.warning(at: 100_000) == "it has ended")
    }
}
