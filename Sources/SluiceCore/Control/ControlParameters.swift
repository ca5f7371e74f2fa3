/// Reads the parameters of one call; what is missing, unknown or wrong is named with what is allowed.
struct ControlParameters {
    let method: ControlMethod
    private var fields: [String: JSONValue]
    private(set) var isList = false

    init(_ value: JSONValue?, of method: ControlMethod) throws(ControlError) {
        self.method = method
        switch value {
        case .object(let fields)?: self.fields = fields
        case nil: fields = [:]
        default: throw .field("params", "is an object, as in \(method.parameters)")
        }
    }

    /// Says that all fields were read; others are a misunderstanding.
    func finish() throws(ControlError) {
        guard let name = fields.keys.min() else { return }
        throw .field(String(name.prefix(60)), "\(method.rawValue) takes \(method.parameters)")
    }

    mutating func action(_ context: ControlContext) throws(ControlError) -> ControlCall.Action {
        switch method {
        case .submit: .query(.submit(try requests(context)))
        case .cancel: .query(.cancel(ReceiptID(try identifier("receipt"))))
        case .abort: .query(.steer(try task(), .abort))
        case .promote: .query(.steer(try task(), .promote))
        case .retry: .query(.steer(try task(), .retry))
        case .priority: .query(.steer(try task(), .setPriority(try required("value", try priority("value")))))
        case .move: .query(.steer(try task(), .move(by: try distance())))
        case .pause: .query(fields["task"] == nil ? .pauseAll : .steer(try task(), .pause))
        case .resume: .query(fields["task"] == nil ? .resumeAll : .steer(try task(), .resume))
        case .set: .query(.set(try setting()))
        case .trustList: .query(.trust)
        case .trustSet: .query(.changeTrust(try trust(context)))
        case .trustRemove: .query(.changeTrust(.remove(try hosts())))
        case .state: .query(.state)
        case .queue: .query(try queue())
        case .task: .query(.task(try task()))
        case .cacheList: .query(.cachedImages)
        case .cacheRemove: .query(.removeCached(key: try required("key", try string("key")), id: try string("id")))
        case .cacheClear: .query(.purge(.cleared))
        case .pressure: .query(.purge(.pressure))
        case .prefetch: .query(.prefetch(try prefetched(context)))
        case .prefetchCancel: .query(.cancelPrefetch(BatchID(try identifier("batch"))))
        case .subscribe: .subscribe(since: try since())
        case .wait: .query(.idle)
        case .quit: .quit
        }
    }

    mutating func take(_ name: String) -> JSONValue? { fields.removeValue(forKey: name) }

    func required<Value>(_ name: String, _ value: Value?) throws(ControlError) -> Value {
        if let value { return value }
        throw .field(name, "is missing; \(method.rawValue) takes \(method.parameters)")
    }

    mutating func string(_ name: String) throws(ControlError) -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.string else { throw .field(name, "is a string, not \(value.kind)") }
        return text
    }

    mutating func flag(_ name: String) throws(ControlError) -> Bool? {
        guard let value = take(name) else { return nil }
        guard let flag = value.bool else { throw .field(name, "is true or false, not \(value.kind)") }
        return flag
    }

    mutating func strings(_ name: String) throws(ControlError) -> [String]? {
        guard let value = take(name) else { return nil }
        let texts = value.array?.map(\.string)
        guard let texts, texts.allSatisfy({ $0 != nil }) else { throw .field(name, "is an array of strings") }
        return texts.compactMap(\.self)
    }

    mutating func integer(_ name: String, _ range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let value = take(name) else { return nil }
        guard let number = value.int, range.contains(number) else {
            throw .field(name, "is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    mutating func priority(_ name: String) throws(ControlError) -> Priority? {
        guard let value = take(name) else { return nil }
        guard let priority = value.string.flatMap({ Priority(name: $0) }) else {
            throw .field(name, "is \(Priority.allCases.map(\.name).joined(separator: ", "))")
        }
        return priority
    }

    /// A number that Sluice gave out; whether it did is the pipeline's to say.
    private mutating func identifier(_ name: String) throws(ControlError) -> Int {
        let value = try required(name, take(name))
        guard let number = value.int else { throw .field(name, "is the number of a \(name), not \(value.kind)") }
        return number
    }

    private mutating func task() throws(ControlError) -> TaskID { TaskID(try identifier("task")) }

    private mutating func distance() throws(ControlError) -> Int {
        try required("by", try integer("by", -1_000_000_000...1_000_000_000))
    }

    private mutating func queue() throws(ControlError) -> PipelineQuery {
        .queue(from: try integer("from", 1...Int(Int32.max)) ?? 1, count: try integer("count", 0...100_000) ?? 100)
    }

    private mutating func since() throws(ControlError) -> Int? {
        guard let value = take("since") else { return nil }
        guard let number = value.int, number >= 0 else {
            throw .field("since", "is the seq of the last event that was seen, 0 for none")
        }
        return number
    }

    private mutating func setting() throws(ControlError) -> SettingChange {
        let name = try required("name", try string("name"))
        let value = try required("value", take("value"))
        let text: String
        switch value {
        case .string(let words): text = words
        case .bool(let flag): text = flag ? "true" : "false"
        case .integer(let number): text = "\(number)"
        case .number(let number):
            guard let whole = Int(exactly: number.value) else {
                return try judged(name) { () throws(SettingError) in try Settings.parse(name, number.value) }
            }
            text = "\(whole)"
        case .array(let values)
        where name == "keyFilter" && values.allSatisfy { $0.string?.contains(",") == false }:
            text = values.compactMap(\.string).joined(separator: ",")
        case .array where name == "keyFilter":
            throw .field("value", "is a list of strings without commas")
        case .null, .array, .object: throw .field("value", "is a string, a number, true or false, not \(value.kind)")
        }
        return try judged(name) { () throws(SettingError) in try Settings.parse(name, text) }
    }

    private func judged(
        _ name: String,
        _ parse: () throws(SettingError) -> SettingChange
    ) throws(ControlError) -> SettingChange {
        do throws(SettingError) {
            return try parse()
        } catch {
            throw .field(Settings.names.contains(name) ? "value" : "name", error.message)
        }
    }

    private mutating func prefetched(_ context: ControlContext) throws(ControlError) -> [DownloadRequest] {
        let options = context.options
        return try required("urls", try strings("urls")).map { DownloadRequest($0, options: options) }
    }

    private mutating func requests(_ context: ControlContext) throws(ControlError) -> [DownloadRequest] {
        let url = try string("url")
        let urls = try strings("urls")
        if url != nil, urls != nil { throw .field("urls", "stands instead of url, not beside it") }
        isList = urls != nil
        guard let urls = urls ?? url.map({ [$0] }) else {
            throw .field("url", "is missing; submit takes \(method.parameters)")
        }
        let wishes = try RequestWishes(&self, saves: context.saves)
        let options = wishes.applied(to: context.options)
        return urls.map { DownloadRequest($0, options: options, tag: wishes.tag) }
    }
}
