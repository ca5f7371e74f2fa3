import SluiceCore
import Testing

struct TrustBookTests {
    @Test(arguments: [
        ("site.example", "site.example", 443, true),
        ("SITE.example.", "site.example", 443, true),
        ("site.example", "site.example.", 8443, true),
        ("site.example", "www.site.example", 443, false),
        ("*.site.example", "www.site.example", 443, true),
        ("*.site.example", "a.b.site.example", 443, true),
        ("*.site.example", "site.example", 443, false),
        ("*.site.example", "mysite.example", 443, false),
        ("site.example:8443", "site.example", 8443, true),
        ("site.example:8443", "site.example", 443, false),
        ("127.0.0.1", "127.0.0.1", 443, true),
        ("*.0.0.1", "127.0.0.1", 443, false),
        ("::1", "::1", 443, true),
        ("[::1]:8443", "::1", 8443, true),
        ("0:0:0:0:0:0:0:1", "::1", 443, true),
        ("[2001:DB8::0001]:8443", "2001:db8::1", 8443, true),
        ("127.1", "127.0.0.1", 443, true),
        ("0x7f.0.0.1", "127.0.0.1", 443, true),
        ("bücher.example", "xn--bcher-kva.example", 443, true),
        ("*", "anything.example", 1, true),
    ])
    func aPatternMatchesItsHostsOnly(pattern: String, host: String, port: Int, isMatch: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host: host, port: port) == isMatch)
    }

    @Test(arguments: [
        "", "a b", "a/b", "*.", "a.*.b", "host:0", "host:99999", "host:x", "user@host", "[::1", "https://a",
        "host#x", "host#", "*.host#x",
    ])
    func whatIsNoPatternIsRefused(text: String) { #expect(HostPattern(text) == nil) }

    @Test func theMostPrecisePatternWins() throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("*.site.example"), [key(1)])
        try builder.pin(hostPattern("www.site.example"), [key(2)])
        try builder.pin(hostPattern("www.site.example:8443"), [key(3)])
        let book = builder.book

        #expect(book.policy(host: "a.site.example", port: 443).pins == [key(1)])
        #expect(book.policy(host: "www.site.example", port: 443).pins == [key(1), key(2)])
        #expect(book.policy(host: "www.site.example", port: 8443).pins.contains(key(3)))
        #expect(book.policy(host: "other.example", port: 443) == .standard)
    }

    @Test(arguments: [true, false]) func theNarrowerOfTwoWidePatternsWins(isLast: Bool) throws {
        var builder = TrustBookBuilder()
        if isLast { builder.trustAnything(try hostPattern("*.example")) }
        try builder.pin(hostPattern("*.bank.example"), [key(1)])
        if !isLast { builder.trustAnything(try hostPattern("*.example")) }
        // What is said anew begins with the narrower one too.
        builder.trustAnything(try hostPattern("www.bank.example"))

        for host in ["a.bank.example", "www.bank.example"] {
            let policy = builder.book.policy(host: host, port: 443)
            #expect(policy.pinning == .publicKey && policy.pins == [key(1)] && policy.isLenient, "\(host)")
        }
        #expect(builder.book.policy(host: "shop.example", port: 443).pins.isEmpty)
    }

    @Test func aNarrowerNameComesBeforeAPort() throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("*.bank.example"), [key(1)])
        builder.set(try hostPattern("*.example:8443"), .standard)
        builder.set(try hostPattern("*.bank.example:9443"), .standard)

        #expect(builder.book.policy(host: "a.bank.example", port: 8_443).pins == [key(1)])
        #expect(builder.book.policy(host: "a.bank.example", port: 9_443) == .standard)
    }

    @Test(
        "pins of one port of more hosts hold where a narrower name is let in",
        arguments: ["*.api.x.example", "a.api.x.example"]
    )
    func pinsOfAPortHoldUnderANarrowerName(lenient: String) throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("*.x.example:8443"), [key(1)])
        builder.trustAnything(try hostPattern(lenient))
        let pinned = builder.book.policy(host: "a.api.x.example", port: 8_443)
        #expect(pinned.pins == [key(1)] && pinned.allowInvalid)
        let other = builder.book.policy(host: "a.api.x.example", port: 443)
        #expect(other.pins.isEmpty && other.allowInvalid)
        #expect(builder.book.policy(host: "b.x.example", port: 8_443).allowInvalid == false)
    }

    /// What a configuration says of some of the hosts stands, but for its pins.
    @Test func pinsAloneReachWhatWasSaidMorePrecisely() throws {
        let file = CertificateFile(path: "ca.pem", certificates: [EncodedCertificate(bytes: [1], place: "ca.pem:1")])
        var own = TrustPolicy()
        own.authorities = file
        var builder = TrustBookBuilder()
        builder.set(try hostPattern("site.example:8443"), own)
        builder.set(try hostPattern("*.site.example:8443"), own)
        try builder.pin(hostPattern("other.example"), [key(9)])
        try builder.pin(hostPattern("elsewhere.test"), [key(9)])

        try builder.pinOnly([
            (hostPattern("site.example"), [key(1)]), (hostPattern("*.example"), [key(2)]),
            (hostPattern("site.example"), [key(3)]), (hostPattern("*.site.example"), [key(4)]),
        ])

        let book = builder.book
        let site = book.policy(host: "site.example", port: 8_443)
        #expect(site.pinning == .publicKey && site.pins == [key(1), key(3)] && site.authorities == file)
        #expect(book.policy(host: "site.example", port: 443).pins == [key(1), key(3)])
        let below = book.policy(host: "www.site.example", port: 8_443)
        #expect(below.pinning == .publicKey && below.pins == [key(4)] && below.authorities == file)
        #expect(book.policy(host: "www.site.example", port: 443).pins == [key(4)])
        #expect(book.policy(host: "other.example", port: 443).pins == [key(2)])
        #expect(book.policy(host: "elsewhere.test", port: 443).pins == [key(9)], "of which nothing was said")
        #expect(book.fallback == .standard)
    }

    /// One names the host more precisely, the other the port.
    @Test func pinsOfAPortHoldWhereItsHostWasNamedWithoutOne() throws {
        var own = TrustPolicy()
        own.allowInvalid = true
        var builder = TrustBookBuilder()
        builder.set(try hostPattern("www.x.example"), own)

        try builder.pinOnly([(hostPattern("*.x.example:8443"), [key(1)])])

        let narrow = builder.book.policy(host: "www.x.example", port: 8_443)
        #expect(narrow.pinning == .publicKey && narrow.pins == [key(1)] && narrow.allowInvalid)
        #expect(builder.book.policy(host: "www.x.example", port: 443) == own)
        #expect(builder.book.policy(host: "a.x.example", port: 8_443).pins == [key(1)])
    }

    @Test func pinsOfAllHostsAreThoseOfEach() throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("a.example"), [key(9)])

        try builder.pinOnly([(.all, [key(1)])])

        #expect(builder.book.policy(host: "a.example", port: 443).pins == [key(1)])
        #expect(builder.book.policy(host: "b.example", port: 443).pins == [key(1)])
    }

    @Test func aHashIsNoPinWhereCertificatesAreCompared() throws {
        var policy = TrustPolicy()
        let certificate = EncodedCertificate(bytes: [1], place: "a.pem:1")
        (policy.pinning, policy.pins) = (.certificate, [.certificate(certificate)])
        var builder = TrustBookBuilder()
        builder.set(try hostPattern("a.example:8443"), policy)

        let error = #expect(throws: TrustError.self) { try builder.pinOnly([(hostPattern("a.example"), [key(1)])]) }
        #expect(error?.message.hasPrefix("a.example:8443: sha256/") == true)
    }

    @Test func pinsHoldUnderInsecure() throws {
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("a.example"), [key(1)])
        builder.trustAnything(.all)

        let pinned = builder.book.policy(host: "a.example", port: 443)
        #expect(pinned.pinning == .publicKey && pinned.pins == [key(1)])
        #expect(pinned.allowInvalid && !pinned.validatesDomain)
        #expect(builder.book.policy(host: "b.example", port: 443).isLenient)
    }

    @Test func insecureOfOneHostLeavesTheOthers() throws {
        var builder = TrustBookBuilder()
        builder.trustAnything(try hostPattern("*.lab.example"))

        #expect(builder.book.policy(host: "x.lab.example", port: 443).isLenient)
        #expect(!builder.book.policy(host: "lab.example", port: 443).isLenient)
        #expect(builder.book.lenientPatterns == ["*.lab.example"])
    }

    /// The command line goes over the file, also where the file speaks of one host.
    @Test func whomTheCommandLineNamesCountsForAll() throws {
        func file(_ name: String) -> CertificateFile {
            CertificateFile(path: name, certificates: [EncodedCertificate(bytes: [1], place: "\(name):1")])
        }
        var builder = TrustBookBuilder()
        try builder.pin(hostPattern("a.example"), [key(1)])
        builder.setAuthorities(file("file.pem"))
        builder.setAuthorities(file("line.pem"))
        for host in ["a.example", "b.example"] {
            #expect(builder.book.policy(host: host, port: 443).authorities == file("line.pem"))
        }
    }

    @Test func theWarningSaysWhatIsNotChecked() throws {
        func warning(_ change: (inout TrustPolicy) -> Void) throws -> String? {
            var policy = TrustPolicy()
            change(&policy)
            return TrustBook(entries: [TrustBook.Entry(try hostPattern("a.example"), policy)]).warning
        }
        let file = CertificateFile(path: "ca.pem", certificates: [EncodedCertificate(bytes: [1], place: "ca.pem:1")])

        #expect(try warning { $0.authorities = file } == nil)
        #expect(try warning { $0.allowInvalid = true } == nil, "rule 1 refuses every host")
        let any = try warning { ($0.allowInvalid, $0.validatesDomain) = (true, false) }
        #expect(any == "certificates are not checked for a.example: whoever answers there is believed")
        let named = try warning { ($0.validatesDomain, $0.authorities) = (false, file) }
        #expect(named?.hasPrefix("names in certificates are not checked for a.example") == true)
        #expect(named?.contains("one of ca.pem") == true)
        for pinning in [TrustPolicy.Pinning.publicKey, .certificate] {
            let pin = TrustPin.certificate(EncodedCertificate(bytes: [1], place: ""))
            let pinned = try warning {
                ($0.pinning, $0.pins) = (pinning, [pin])
                ($0.allowInvalid, $0.validatesDomain) = (true, false)
            }
            #expect(pinned?.contains("only") == true && pinned?.contains("believed") == false)
            let valid = try warning { ($0.pinning, $0.pins, $0.validatesDomain) = (pinning, [pin], false) }
            #expect(valid == "names in certificates are not checked for a.example: pins and authorities are")
        }
    }

    @Test func hostsOfOneKindShareAWarning() throws {
        var builder = TrustBookBuilder()
        builder.trustAnything(try hostPattern("a.example"))
        builder.trustAnything(try hostPattern("b.example"))
        try builder.pin(hostPattern("c.example"), [key(1)])
        builder.trustAnything(try hostPattern("c.example"))

        let warning = try #require(builder.book.warning)
        #expect(warning.hasPrefix("certificates are not checked for a.example, b.example: whoever"))
        #expect(warning.contains("; only keys are checked for c.example: they are pinned"))
        builder.trustAnything(.all)
        #expect(builder.book.warning?.hasPrefix("certificates are not checked for any host") == true)
    }

    @Test func answersOfDifferentTrustHaveDifferentMarks() throws {
        var pinned = TrustBookBuilder()
        try pinned.pin(hostPattern("a.example"), [key(1)])
        var lenient = TrustBookBuilder()
        lenient.trustAnything(try hostPattern("b.example"))
        let mark = { (book: TrustBook, host: String) in book.mark(host: host, port: 443) }

        #expect(mark(.standard, "a.example") == "")
        #expect(mark(pinned.book, "b.example") == "", "what is strict elsewhere changes nothing here")
        #expect(mark(pinned.book, "a.example") != "")
        #expect(mark(lenient.book, "b.example") != mark(lenient.book, "a.example"))
        #expect(mark(lenient.book, "a.example") != "", "a redirect may lead to the host that may be anybody")
        let key = MergeKey(url: "https://a.example/", trust: mark(lenient.book, "a.example"))
        #expect(key != MergeKey(url: "https://a.example/"))
    }

    @Test func aStoredResponseAnswersOnlyTheTrustThatItWasJudgedBy() throws {
        var lenient = TrustBookBuilder()
        lenient.trustAnything(.all)
        let url = "https://a.example/"
        let strictly = CacheRequest(url: url, fields: [], trust: TrustBook.standard.mark(of: url))
        let leniently = CacheRequest(url: url, fields: [], trust: lenient.book.mark(of: url))

        #expect(strictly.owner == CacheRequest(url: url, fields: []).owner)
        #expect(leniently.owner != strictly.owner)
    }

    @Test func pinningCertificatesTakesNoHashes() throws {
        var policy = TrustPolicy()
        (policy.pinning, policy.pins) = (.certificate, [key(1)])
        #expect(throws: TrustError.self) { try TrustBookBuilder.check(policy) }
        policy.pins = []
        #expect(throws: TrustError.self) { try TrustBookBuilder.check(policy) }
        policy.pinning = .publicKey
        #expect(throws: TrustError.self) { try TrustBookBuilder.check(policy) }
    }

    @Test(arguments: ["sha256/", "sha256/AAAA", "sha1/AAAA", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA!="])
    func aBadHashIsRefused(text: String) { #expect(throws: TrustError.self) { try TrustPin.hash(text) } }

    @Test func base64ComesBackAsItWas() {
        for count in 0..<64 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
        }
        #expect(Base64.encode(Array("Sluice".utf8)) == "U2x1aWNl")
    }

    private func key(_ byte: UInt8) -> TrustPin { .key(sha256: Array(repeating: byte, count: 32)) }
}
