import SluiceCore
import Testing

@testable import SluiceUI

/// The certificates of a host on the screen.
struct TrustViewTests {
    @Test(arguments: GoldenTests.sizes) func golden(width: Int, height: Int) throws {
        let moments: [(String, [AppEvent])] = [
            ("trust", [.trust(ask: 1, .success(Self.report()))]),
            ("trust-refused", [.trust(ask: 1, .success(Self.report(Self.bad))), .key(.character("j"))]),
            ("trust-pin", [.trust(ask: 1, .success(Self.report())), .pinDraft(Self.draft)]),
            (
                "trust-failed",
                [.trust(ask: 1, .failure(DownloadError(.cannotConnect, "can't connect: \u{1B}[2J refused")))]
            ),
        ]
        for (name, events) in moments {
            for isASCII in [false, true] where !isASCII || name == "trust-refused" {
                var dashboard = Scene.full.dashboard(width, height, ascii: isASCII)
                for event in [.key(.character("T"))] + events { _ = dashboard.handle(event, now: Scene.now) }
                try Golden.check(&dashboard, "\(isASCII ? "ascii-" : "")\(name)", width, height)
            }
        }
    }

    @Test func theHostOfTheSelectedTaskIsLookedAt() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("j")
        #expect(driver.press("T") == ["look 1 https://img.nasa.example/hi/iss069e0031.png"])
        #expect(driver.text.contains("looking"))
        _ = driver.send(.trust(ask: 7, .success(Self.report())))
        #expect(driver.text.contains("looking"), "the answer to another look is none")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        for text in ["accepted by rule 3", "Example R3", "Example Root X1", Self.pins[0], Self.pins[1], Self.pins[2]] {
            #expect(driver.text.contains(text), "\(text)")
        }
        #expect(driver.press("r") == ["look 2 https://img.nasa.example/hi/iss069e0031.png"])
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.mode == .lists && driver.text.contains("1 active"))
    }

    @Test func datesThatHoldMakeNothingGoodThatTheVerdictRefuses() {
        var refused = Shown()
        (refused.problem, refused.isNamed) = ("its authority is not one that is trusted", false)
        for (shown, mark) in [(Shown(), "✓ img.nasa.example"), (refused, "! img.nasa.example")] {
            var driver = Driver(.full, 120, 36)
            _ = driver.press("T")
            _ = driver.send(.trust(ask: 1, .success(Self.report(shown))))
            #expect(driver.text.contains(mark), "\(driver.text)")
            #expect(driver.text.contains("✓ Example R3"), "of the others only the dates are known")
        }
    }

    @Test func whatHasNoCertificatesIsSaid() {
        var scene = Scene.full
        scene.snapshot.active[0].url = "http://plain.example/a"
        scene.snapshot.active[1].url = "file:///etc/motd"
        var driver = Driver(scene, 120, 36)
        #expect(driver.press("T") == [])
        #expect(driver.text.contains("plain.example is asked over http"))
        _ = driver.press("j")
        #expect(driver.press("T") == [])
        #expect(driver.text.contains("there is no host to look at"))
        driver = Driver(.empty, 80, 24)
        #expect(driver.press("T") == [])
    }

    @Test(arguments: ["n", "i", "d"]) func beforeThereIsACertificateNothingIsTried(key: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("T")
        #expect(driver.press(key) == [])
        #expect(driver.text.contains("there is no certificate yet to try it on"), "\(driver.text)")
    }

    @Test func withoutACertificateThereIsNoneToChoose() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("T")
        #expect(!driver.hints.contains("choose"), "\(driver.hints)")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        #expect(driver.hints.contains("choose"), "\(driver.hints)")
    }

    /// What a key led to is seen at once, also where the page has more rows than the screen.
    @Test(arguments: [(120, 36), (80, 24), (60, 16)])
    func everyPolicyCanBeTriedAgainstEveryCertificate(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report(Self.bad))))
        var seen: Set<String> = []
        for _ in 0..<3 {
            for _ in TrustPolicy.Pinning.allCases {
                for keys in ["i", "d", "i", "d"] {
                    _ = driver.press(keys)
                    guard let trust = driver.dashboard.state.trust, let verdict = trust.report?.trials[trust.trial]
                    else {
                        Issue.record("a policy that was not asked")
                        return
                    }
                    let word = verdict.isAccepted ? "accepts" : "refuses"
                    #expect(driver.text.contains("\(word) by \(verdict.rule.rawValue):"), "\(trust.trial)")
                    seen.insert("\(trust.trial)")
                }
                _ = driver.press("n")
            }
            _ = driver.press("j")
        }
        #expect(seen.count == TrustTrial.all(certificates: 3).count)
    }

    /// And what would be pinned is never cut off for their sake.
    @Test(arguments: [(40, 8), (60, 16), (80, 24), (120, 30), (120, 36), (200, 50)])
    func theNumbersOfTheRulesHaveWords(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        if width >= 110 { #expect(driver.text.contains("must show one of these keys too."), "\(driver.text)") }
        var seen = ""
        for _ in 0..<40 {
            seen += driver.text
            _ = driver.press(keys: [.pageDown])
        }
        for words in ["1 no anchor for the name", "2 name", "3 chain, unpinned", "4 chain, pinned", "6 pinned key"] {
            #expect(seen.contains(words), "\(words): \(seen)")
        }
    }

    @Test func aPinIsAskedAboutAndOnlyThenKept() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("T")
        #expect(driver.press("p") == [], "nothing was seen yet")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        #expect(driver.press("p") == ["draftPin img.nasa.example \(Self.pins[0]) \(Self.pins[1])"])
        #expect(driver.press("jp") == ["draftPin img.nasa.example \(Self.pins[1]) \(Self.pins[2])"])
        #expect(driver.send(.pinDraft(Self.draft)) == [])
        #expect(driver.text.contains("pin img.nasa.example in the configuration?"))
        for text in [Self.pins[0], Self.pins[1], "~/.config/sluice/config.toml", "[[trust]]"] {
            #expect(driver.text.contains(text), "\(text)")
        }
        #expect(driver.press("n") == [])
        #expect(driver.dashboard.state.mode == .trust)
        _ = driver.send(.pinDraft(Self.draft))
        #expect(driver.press("y") == ["pin img.nasa.example \(Self.pins[0]) \(Self.pins[1])"])
        #expect(driver.send(.pinned(Self.draft)) == ["look 2 https://img.nasa.example/hi/dunes-4096.jpg"])
        #expect(driver.text.contains("pinned img.nasa.example in ~/.config"))
    }

    /// Also where the box of the pin has no room, and where there is no box at all but that of the question.
    @Test(arguments: [(40, 8), (40, 10), (60, 16), (80, 24), (120, 36), (200, 50)])
    func thatAPinWouldNotHelpIsSaidInTheQuestion(width: Int, height: Int) throws {
        var driver = Driver(.full, width, height)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report(Self.selfSigned))))
        _ = driver.send(.pinDraft(Self.draft))
        let text = driver.text
        #expect(text.contains("A pin alone would not help"), "\(text)")
        #expect(text.contains("key     sha256/9f2cL"), "what is pinned stays in sight: \(text)")
        // The prompt's row, and the one below it that names the keys where there is one.
        let rows = text.split(separator: "\n").suffix(height < 16 ? 1 : 2)
        let question = try #require(rows.first)
        #expect(question.contains("refused still: pin ") || question.contains("would not help: pin "), "\(text)")
        #expect(rows.last?.contains("? y n") == true || rows.last?.contains("n no") == true, "\(text)")
        guard height >= 24 else { return }
        #expect(text.contains("--cacert FILE") && text.contains("allowInvalid = true"), "\(text)")
    }

    @Test func whereAPinIsEnoughNothingIsWarnedOf() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        _ = driver.send(.pinDraft(Self.draft))
        #expect(!driver.text.contains("would not help") && !driver.text.contains("refused still"), "\(driver.text)")
    }

    @Test func aWarningIsAsLongAsThereIsRoom() {
        let warning = PinWarning(reason: "its authority is not one that is trusted", help: "--cacert FILE")
        #expect(warning.lines(columns: 200, rows: 1) == ["\(warning.sentence) What helps: --cacert FILE."])
        #expect(warning.lines(columns: 100, rows: 1) == [warning.sentence])
        #expect(warning.lines(columns: 32, rows: 1) == ["A pin alone would not help."])
        #expect(warning.lines(columns: 32, rows: 5).count > 2)
    }

    @Test(arguments: [(40, 10), (60, 16), (80, 24), (120, 36)])
    func whatHelpsAChainOfNoAuthorityIsSaid(width: Int, height: Int) {
        var driver = Driver(.full, width, height)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report(Self.selfSigned))))
        #expect(driver.text.contains("helps     --cacert FILE with its"), "\(driver.text)")
    }

    @Test func onlyWhatWouldHelpIsAdvised() throws {
        func help(_ shown: Shown) throws -> String? {
            var trust = TrustState(ask: 1, url: try RequestURL("https://img.nasa.example/"))
            trust.news = .found(Self.report(shown))
            return trust.help
        }
        let lenient =
            "if you know by another way that the key is its own, allowInvalid = true beside the pin in the configuration"
        #expect(try help(Self.selfSigned) == "--cacert FILE with its authority, or \(lenient)")
        var forged = Self.selfSigned
        forged.lacksAuthority = false
        #expect(try help(forged) == lenient, "no authority mends what is wrong in another way")
        var ended = Self.selfSigned
        ended.days = [-2]
        #expect(try help(ended) == lenient, "no authority makes it last longer")
        #expect(try help(Self.bad) == nil, "it has another name, too")
        #expect(try help(Shown()) == nil, "it is accepted")
    }

    @Test func whatIsPinnedAlreadyIsNotPinnedAgain() throws {
        var policy = TrustPolicy.standard
        policy.pinning = .publicKey
        policy.pins = try Self.pins.prefix(2).map { try TrustPin.hash($0) }
        for (shown, sentence) in [
            (Shown(), "img.nasa.example is pinned to these keys already"),
            (Self.selfSigned, "img.nasa.example is pinned to this key already, and is refused still"),
        ] {
            var driver = Driver(.full, 80, 24)
            _ = driver.press("T")
            _ = driver.send(.trust(ask: 1, .success(Self.report(shown, inForce: policy))))
            #expect(driver.press("p") == [])
            #expect(driver.text.contains(sentence), "\(driver.text)")
        }

        var driver = Driver(.full, 80, 24)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report(inForce: policy))))
        let effects = driver.press("jp")
        #expect(effects == ["draftPin img.nasa.example \(Self.pins[1]) \(Self.pins[2])"], "the backup is another")
    }

    @Test func pinsCanBeEditedFirst() {
        var driver = Driver(.full, 120, 36)
        _ = driver.press("T")
        _ = driver.send(.trust(ask: 1, .success(Self.report())))
        _ = driver.press("e")
        #expect(driver.dashboard.state.prompt.editor.text == ":pin img.nasa.example \(Self.pins[0]) \(Self.pins[1])")
        _ = driver.press(keys: [.escape])
        #expect(driver.dashboard.state.mode == .trust)
        _ = driver.press("e")
        let effects = driver.press(keys: [.enter]).filter { !$0.hasPrefix("saveHistory") }
        #expect(effects == ["draftPin img.nasa.example \(Self.pins[0]) \(Self.pins[1])"])
        #expect(driver.dashboard.state.mode == .trust)
    }

    @Test(arguments: [true, false]) func aPinTypedAtThePromptForURLsIsAskedAboutToo(startsThere: Bool) {
        var driver = Driver(.full, 80, 24, prompt: startsThere)
        if !startsThere { _ = driver.press("a") }

        let effects = driver.enter(":pin img.nasa.example \(Self.pins[0]) \(Self.pins[1])")
        _ = driver.send(.pinDraft(Self.draft))

        #expect(effects == ["draftPin img.nasa.example \(Self.pins[0]) \(Self.pins[1])"])
        #expect(driver.text.contains("pin img.nasa.example in the configuration?"), "\(driver.text)")
        #expect(driver.press("y") == ["pin img.nasa.example \(Self.pins[0]) \(Self.pins[1])"])
    }

    @Test func aDraftThatComesWhileSomethingElseIsAskedIsDropped() {
        var driver = Driver(.full, 80, 24)
        _ = driver.press("a")
        _ = driver.send(.pinDraft(Self.draft))
        #expect(driver.dashboard.state.mode == .prompt)
    }

    @Test func aVerdictStandsInTheDetail() {
        var scene = Scene.full
        let verdict = TrustVerdict(rule: .publicKey, isAccepted: true)
        scene.add(2, .trustDecided(TrustDecision(host: "img.nasa.example", verdict: verdict, isReused: false)))
        var driver = Driver(scene, 120, 36)
        _ = driver.press(keys: [.enter])
        _ = driver.send(.snapshot(scene.snapshot))
        #expect(driver.text.contains("✓ accepted by rule 6 · T shows the chain"), "\(driver.text)")
        #expect(driver.text.contains("T trust"), "the hint bar names the key")
    }

    @Test(arguments: [
        (":trust a b", "a host can follow"), (":trust *.a.example", "a host can follow"), (":pin", "must follow"),
        (":pin a.example", "keys must follow"), (":pin a.example sha256/AAAA", "44 characters"),
        (":pin * \(pins[0])", "a host can follow"),
    ])
    func whatCantBeMeantIsNamed(line: String, message: String) {
        var driver = Driver(.full, 120, 36)
        _ = driver.press(String(line.prefix(1)))
        _ = driver.press(String(line.dropFirst()))
        #expect(driver.press(keys: [.enter]) == [])
        #expect(driver.text.contains(message), "\(driver.text)")
    }

    @Test func aTypedHostIsLookedAt() {
        var driver = Driver(.empty, 80, 24)
        _ = driver.press(":trust site.example:8443")
        let effects = driver.press(keys: [.enter]).filter { !$0.hasPrefix("saveHistory") }
        #expect(effects == ["look 1 https://site.example:8443/"])
    }

    @Test func nothingOfTheServerMovesTheCursor() {
        for (width, height) in GoldenTests.sizes {
            var driver = Driver(.full, width, height)
            _ = driver.press("T")
            _ = driver.send(.trust(ask: 1, .success(Self.report(Self.bad))))
            for keys in ["", "j", "j", "p"] {
                _ = driver.press(keys)
                #expect(!driver.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
            }
        }
    }

    // MARK: What servers showed

    static let pins = [
        "sha256/9f2cL0mpXr3Yv8w7Qd5TnFh2sKb4Jg6uAoE1iZcR0xM=", "sha256/k5TnFh2sKb4Jg6uAoE1iZcR0xM9f2cL0mpXr3Yv8w7Q=",
        "sha256/AoE1iZcR0xM9f2cL0mpXr3Yv8w7Qk5TnFh2sKb4Jg6s=",
    ]

    private static let draft: PinDraft = {
        var draft = PinDraft(host: "img.nasa.example", pins: Array(pins.prefix(2)))
        draft.file = "~/.config/sluice/config.toml"
        draft.lines = TrustSectionText(host: draft.host, pins: draft.pins, over: .standard).lines
        draft.before = [1]
        return draft
    }()

    /// 21 November 2026.
    private static let time = 1_795_219_200

    private struct Shown {
        var subjects = ["img.nasa.example", "Example R3", "Example Root X1"]
        var names = ["img.nasa.example", "*.nasa.example", "192.0.2.7"]
        var problem: String?
        var lacksAuthority = false
        var isNamed = true
        /// Days that each lasts still.
        var days = [83, 420, 3_000]
    }

    private static let bad = Shown(
        subjects: ["evil\u{1B}]0;title\u{7}\u{202E}gpj", "京都の認証局", String(repeating: "very-long-", count: 30)],
        names: (1...30).map { "name-\($0).example" } + ["x\u{1B}[2J"],
        problem: "its authority is not one that is trusted",
        lacksAuthority: true,
        isNamed: false,
        days: [3, -2, 900]
    )

    private static let selfSigned = Shown(
        subjects: ["img.nasa.example"],
        problem: "the certificate is signed by itself and by no authority",
        lacksAuthority: true,
        days: [83]
    )

    private static func report(_ shown: Shown = Shown(), inForce: TrustPolicy = .standard) -> TrustReport {
        var certificates: [TrustChain.Certificate] = []
        for (place, subject) in shown.subjects.enumerated() {
            certificates.append(
                TrustChain.Certificate(
                    subject: subject,
                    issuer: shown.subjects[min(place + 1, shown.subjects.count - 1)],
                    names: place == 0 ? shown.names : [],
                    notBefore: time - 86_400 * 30,
                    notAfter: time + 86_400 * shown.days[place] + 5,
                    key: place == 2 ? "RSA 4096" : "EC P-256",
                    pin: pins[place]
                )
            )
        }
        let chain = TrustChain(
            certificates: certificates,
            problem: shown.problem,
            lacksAuthority: shown.lacksAuthority
        )
        let encoded = shown.subjects.indices.map { EncodedCertificate(bytes: [UInt8($0)], place: "chain") }
        func verdict(_ policy: TrustPolicy) -> TrustVerdict {
            var facts = TrustTable.Facts()
            (facts.matchesDomain, facts.problem) = (shown.isNamed, shown.problem)
            facts.hasPinnedCertificate = policy.pins.contains { pin in encoded.contains { pin == .certificate($0) } }
            let keys = shown.subjects.indices.compactMap { try? TrustPin.hash(pins[$0]) }
            facts.hasPinnedKey = facts.hasPinnedCertificate || policy.pins.contains { keys.contains($0) }
            return TrustTable(policy).verdict(facts)
        }
        let trials = TrustTrial.all(certificates: encoded.count).map {
            ($0, verdict($0.policy(encoded, authorities: nil)))
        }
        let questions = TrustReport.questions(inForce, chain, [])
        return TrustReport(
            host: "img.nasa.example",
            port: 443,
            chain: chain,
            answers: questions.map { ($0, verdict($0.policy)) },
            trials: Dictionary(uniqueKeysWithValues: trials),
            time: time
        )
    }
}
