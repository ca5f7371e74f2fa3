import SluiceCore
import Testing

struct SettingsTableTests {
    @Test func namesAreThoseOfTheSpecification() {
        let names = """
            maxActive maxPerHost order suspended lastReceipt policy cacheCapacity cachePreferred memoryFreshOnly \
            decode maxPixels httpCapacity httpMemory limitRate timeout \
            connectTimeout retries maxRetryAfter failedFor maxFileSize indicatorEnabled activationDelay completionDelay \
            acceptOnly keyFilter onExists
            """
        #expect(Settings.names == names.split(separator: " ").map(String.init))
    }

    @Test(arguments: [
        ("maxActive", "64", SettingValue.integer(64)),
        ("order", "lifo", .word("lifo")),
        ("suspended", "on", .flag(true)),
        ("policy", "cacheElseLoad", .word("cacheElseLoad")),
        ("cacheCapacity", "64M", .integer(67_108_864)),
        ("limitRate", "1.5MiB/s", .integer(1_572_864)),
        ("timeout", "0", .seconds(0)),
        ("completionDelay", "0.17", .seconds(0.17)),
        ("failedFor", "90s", .seconds(90)),
        ("retries", "0", .integer(0)),
        ("maxPerHost", "0", .integer(0)),
        ("keyFilter", "token,sid", .list(["token", "sid"])),
        ("keyFilter", "*", .list(["*"])),
        ("keyFilter", "", .list([])),
        ("keyFilter", "[\"token\", 'sid']", .list(["token", "sid"])),
        ("keyFilter", "[\"*\"]", .list(["*"])),
        ("keyFilter", "[]", .list([])),
        ("keyFilter", "\"token\",sid", .list(["token", "sid"])),
        ("keyFilter", "ids[],token", .list(["ids[]", "token"])),
        ("keyFilter", "token, sid", .list(["token", "sid"])),
    ])
    func valueIsRead(name: String, text: String, value: SettingValue) throws {
        #expect(try Settings.parse(name, text).value == value)
    }

    @Test(arguments: [
        ("maxActive", "0", "from 1 to 64"),
        ("maxActive", "65", "from 1 to 64"),
        ("maxActive", "+4", "from 1 to 64"),
        ("order", "random", "order can be fifo or lifo, not \"random\""),
        ("suspended", "maybe", "true or false"),
        ("cacheCapacity", "-1", "a size in bytes"),
        ("cacheCapacity", "12X", "a size in bytes"),
        ("timeout", "-1", "a time in seconds"),
        ("timeout", "1e3", "a time in seconds"),
        ("timeout", "", "not nothing"),
        ("keyFilter", "a,,b", "names with commas"),
        ("keyFilter", "a,*", "names with commas"),
        ("keyFilter", "[\"a\"", "names with commas"),
        ("keyFilter", "[\"a\", \"b]", "names with commas"),
        ("keyFilter", "[\"\"]", "names with commas"),
        ("keyFilter", "[\"a\"\"b\"]", "names with commas"),
        ("keyFilter", "[a\"]", "names with commas"),
        ("keyFilter", "a b", "names with commas"),
        ("maxActiv", "3", "did you mean maxActive?"),
        ("max-active", "3", "did you mean maxActive?"),
        ("cache", "3", "cacheCapacity or cachePreferred"),
        ("xyzzy", "3", "they are maxActive maxPerHost order"),
    ])
    func badValueSaysWhatIsAllowed(name: String, text: String, part: String) {
        let error = #expect(throws: SettingError.self) { try Settings.parse(name, text) }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func changeTellsBothValuesAndEqualOnesNothing() throws {
        var settings = Settings()
        let change = try Settings.parse("activationDelay", "0.5")
        let values = try settings.apply(change)
        #expect(values?.from == .seconds(1) && values?.to == .seconds(0.5))
        #expect(settings.activationDelay == .milliseconds(500))
        #expect(try settings.apply(change) == nil)
    }

    @Test func preferredAboveTheCapacityIsAnError() throws {
        var settings = Settings()
        let (capacity, preferred) = (
            SettingChange(name: "cacheCapacity", value: .integer(1000)),
            SettingChange(name: "cachePreferred", value: .integer(600))
        )
        #expect(throws: SettingError.self) { try settings.apply(capacity) }
        #expect(settings == Settings(), "nothing is changed")
        try settings.apply([capacity, preferred])
        #expect(settings.cacheCapacity == 1000 && settings.cachePreferred == 600)
        #expect(throws: SettingError.self) {
            try settings.apply(SettingChange(name: "cachePreferred", value: .integer(1001)))
        }
        #expect(throws: SettingError.self) { try settings.apply(SettingChange(name: "order", value: .integer(1))) }
    }

    @Test func aCapacityThatIsSetByPropertyTakesThePreferredSizeAlong() throws {
        var settings = Settings()
        settings.cacheCapacity = 1000
        #expect(settings.cachePreferred == 600)
        try settings.check()
        settings.cacheCapacity = 0
        #expect(settings.cachePreferred == Settings().cachePreferred, "there is no limit, and so room for it")
        settings.cachePreferred = 500
        settings.cacheCapacity = 400
        #expect(settings.cachePreferred == 500, "it was set")
        #expect(throws: SettingError.self) { try settings.check() }
    }

    @Test(arguments: [
        (1, 0), (5, 3), (15, 9), (1_000, 600), (10_485_760, 6_291_456), (83_886_080, 50_331_648),
        (104_857_599, 62_914_559), (104_857_600, 62_914_560), (1_073_741_824, 62_914_560), (Int.max, 62_914_560),
        (0, 62_914_560),
    ])
    func aCapacityBringsItsUsualPreferredSize(capacity: Int, preferred: Int) {
        #expect(Settings.usualPreferred(of: capacity) == preferred)
        var settings = Settings()
        settings.cacheCapacity = capacity
        #expect(settings.cachePreferred == preferred)
    }

    @Test(arguments: [
        ("maxActive", SettingKind.Unit.number, SettingKind.Zero.itself), ("maxPerHost", .number, .noLimit),
        ("cacheCapacity", .size, .noLimit), ("cachePreferred", .size, .nothing("a purge leaves nothing")),
        ("limitRate", .rate, .noLimit), ("timeout", .seconds, .noLimit), ("connectTimeout", .seconds, .usual),
        ("failedFor", .seconds, .nothing("none is remembered")), ("completionDelay", .seconds, .itself),
        ("suspended", .flag, .itself), ("order", .word, .itself), ("keyFilter", .names, .itself),
    ])
    func whatASettingIsComesFromItsDefinition(name: String, unit: SettingKind.Unit, zero: SettingKind.Zero) throws {
        let kind = try #require(Settings.kind(of: name))
        #expect(kind.unit == unit && kind.zero == zero, "\(kind)")
        #expect(kind.isSize == ["cacheCapacity", "cachePreferred", "limitRate"].contains(name))
        #expect(Settings.kind(of: name + "s") == nil)
    }

    @Test(arguments: [
        ("retries", "a whole number from 0 to 100"), ("maxPerHost", "a whole number from 0 to 64; 0 means no limit"),
        ("limitRate", "a size in bytes, or with K, M, G or T; 0 means no limit"),
        ("cachePreferred", "a size in bytes, or with K, M, G or T; 0 means that a purge leaves nothing"),
        ("connectTimeout", "a time in seconds, such as 1.5; 0 means the default, 15 s"),
        ("failedFor", "a time in seconds, such as 1.5; 0 means that none is remembered"),
        ("activationDelay", "a time in seconds, such as 1.5"), ("indicatorEnabled", "true or false"),
    ])
    func whatIsAllowedSaysWhatZeroMeans(name: String, words: String) {
        #expect(Settings.allowed(name) == words)
        let meaning = Settings.meaningOfZero(of: name)
        #expect(meaning.map { words.hasSuffix("; 0 means " + $0) } ?? !words.contains("0 means"))
    }

    @Test(arguments: [
        ("maxPerHost", "from 0 to 64; 0 means no limit"), ("limitRate", "as 20K or 2M; 0 means no limit"),
        ("cachePreferred", "as 20K or 2M; 0 means a purge leaves nothing"),
        ("connectTimeout", "seconds, as 1.5; 0 means the default, 15 s"),
        ("failedFor", "seconds, as 1.5; 0 means none is remembered"), ("activationDelay", "seconds, as 1.5"),
        ("onExists", "rename, skip or overwrite"),
    ])
    func inBriefExamplesStandForRules(name: String, words: String) {
        #expect(Settings.allowedInBrief(name) == words)
    }

    /// Of what 0 means a refusal tells for sizes only.
    @Test(arguments: [
        ("limitRate", "a size in bytes, or with K, M, G or T; 0 means no limit"),
        ("timeout", "a time in seconds, such as 1.5"), ("maxPerHost", "a whole number from 0 to 64"),
    ])
    func aRefusalSaysWhatIsWanted(name: String, words: String) {
        let error = #expect(throws: SettingError.self) { try Settings.parse(name, "-1") }
        #expect(error?.message == "\(name) can be \(words), not \"-1\"")
    }

    @Test func whatIsSetByPropertyCanBeChecked() throws {
        try Settings().check()
        let names = ["maxActive", "completionDelay", "cachePreferred", "keyFilter"]
        var wrong = names.map { _ in Settings() }
        wrong[0].maxActive = 0
        wrong[1].completionDelay = .seconds(-1)
        wrong[2].cachePreferred = 1 << 40
        wrong[3].keyFilter = ["a b"]
        for (name, settings) in zip(names, wrong) {
            let error = #expect(throws: SettingError.self) { try settings.check() }
            #expect(error?.message.hasPrefix(name) == true, "\(error?.message ?? "")")
        }
    }

    @Test func noTimeToConnectIsTheDefault() throws {
        var settings = Settings()
        settings.connectTimeout = .seconds(5)
        #expect(try settings.apply(Settings.parse("connectTimeout", "0"))?.to == .seconds(15))
    }

    @Test(
        arguments: [
            (0.00001, "0.00001"), (1.5e-7, "0.00000015"), (0.17, "0.17"), (0.1 + 0.2, "0.30000000000000004"), (0, "0"),
            (1e9, "1000000000"), (123_456_789.125, "123456789.125"), (1.2345678901234567e-11, nil),
        ] as [(Double, String?)]
    )
    func everyTimeIsReadBackAsItIsWritten(seconds: Double, text: String?) throws {
        let change = try Settings.parse("activationDelay", TOMLNode(.float(seconds), line: 1))
        if let text { #expect(change.value.text == text) }
        #expect(try Settings.parse("activationDelay", change.value.text) == change)
    }

    @Test func aTimeThatIsNextToNothingIsReadBack() throws {
        #expect(
            try Settings.parse("activationDelay", SettingValue.seconds(.leastNonzeroMagnitude).text).value
                == .seconds(0)
        )
        let short = try Settings.parse("activationDelay", SettingValue.seconds(1.25e-20).text).value
        #expect(short == .seconds(1.25e-20))
    }

    /// A file says it as a number, the command line as a text: both have the same bound.
    @Test func sizesAreBoundedHoweverTheyAreGiven() throws {
        let most = 1 << 62
        for value in [0, most] {
            let change = try Settings.parse("limitRate", TOMLNode(.integer(value), line: 1))
            #expect(try Settings.parse("limitRate", change.value.text) == change)
        }
        for value in [-1, most + 1, 9_000_000_000_000_000_000] {
            #expect(throws: SettingError.self) { try Settings.parse("limitRate", TOMLNode(.integer(value), line: 1)) }
            #expect(throws: SettingError.self) { try Settings.parse("limitRate", "\(value)") }
            var settings = Settings()
            let change = SettingChange(name: "limitRate", value: .integer(value))
            #expect(throws: SettingError.self) { try settings.apply(change) }
        }
    }

    @Test func everySettingTakesItsOwnValue() throws {
        var settings = Settings()
        for (name, value) in Settings().all {
            #expect(try settings.apply(Settings.parse(name, value.text)) == nil, "\(name)")
            #expect(settings.value(of: name) == value)
        }
        #expect(settings.value(of: "nothing") == nil)
    }

    @Test func whatTheHelpCallsTheDefaultCanBeSet() throws {
        for (name, text) in Settings.usual where text != "no limit" {
            var settings = Settings()
            _ = try settings.apply(try Settings.parse(name, text))
            #expect(settings == Settings(), "\(name) \(text)")
        }
        for text in ["60 s", "60s", "60"] { #expect(try Settings.parse("timeout", text).value == .seconds(60)) }
        #expect(throws: SettingError.self) { try Settings.parse("timeout", "60  s") }
    }
}
