/// What a `submit` says of its requests beside their URLs.
struct RequestWishes {
    /// Bytes of a tag at most.
    static let tagLimit = 200

    private var headers: [HeaderField] = []
    private var policy: CachePolicy?
    private var priority: Priority?
    private var destination: String?
    private var retryFailed = false
    private var method: String?
    private var body: [UInt8]?
    private var sha256: String?
    private var thumbnail: ThumbnailSize?
    private var stores: Bool?
    private(set) var tag: String?

    /// Reads them.
    ///
    /// - Parameters:
    ///   - parameters: Of the call; what is read is taken from it.
    ///   - saves: Whether bodies are saved at all.
    /// - Throws: What is wrong with a field.
    init(_ parameters: inout ControlParameters, saves: Bool) throws(ControlError) {
        if let value = parameters.take("headers") { headers = try Self.headers(value) }
        if let name = try parameters.string("policy") {
            guard let known = CachePolicy(rawValue: name) else {
                throw .field("policy", "is \(CachePolicy.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            policy = known
        }
        priority = try parameters.priority("priority")
        retryFailed = try parameters.flag("retryFailed") ?? false
        if let text = try parameters.string("destination") {
            guard saves else { throw .field("destination", "nothing is saved here: this Sluice runs without files") }
            if parameters.isList { throw .field("destination", "is the file of one url, not of urls") }
            if let problem = DestinationPath.problem(with: text) { throw .field("destination", problem) }
            destination = text
        }
        if let text = try parameters.string("tag") {
            guard text.utf8.count <= Self.tagLimit else {
                throw .field("tag", "has at most \(Self.tagLimit) bytes, not \(text.utf8.count)")
            }
            tag = text
        }
        try readContents(&parameters)
        stores = try parameters.flag("store")
    }

    /// The options of a request: what its session says, changed by these wishes.
    func applied(to options: RequestOptions) -> RequestOptions {
        let changesHow = !headers.isEmpty || policy != nil || priority != nil || method != nil || body != nil
        let changesWhat = destination != nil || retryFailed || sha256 != nil || thumbnail != nil || stores != nil
        guard changesHow || changesWhat else { return options }
        let names = Set(headers.map { $0.name.lowercased() })
        return RequestOptions(
            headers: options.headers.filter { !names.contains($0.name.lowercased()) } + headers,
            policy: policy ?? options.policy,
            priority: priority ?? options.priority,
            saves: options.saves,
            destination: destination ?? options.destination,
            retryFailed: retryFailed || options.retryFailed,
            method: method ?? (body == nil ? options.method : "POST"),
            body: body ?? options.body,
            sha256: sha256 ?? options.sha256,
            stores: stores ?? options.stores,
            thumbnail: thumbnail ?? options.thumbnail
        )
    }

    /// What is sent, and what must come back.
    private mutating func readContents(_ parameters: inout ControlParameters) throws(ControlError) {
        if let text = try parameters.string("method") {
            let usual = text.uppercased()
            guard usual.isToken, !["CONNECT", "TRACE"].contains(usual) else {
                throw .field("method", "is a word such as GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS")
            }
            method = usual
        }
        if let text = try parameters.string("body") {
            if method == "HEAD" { throw .field("body", "is not sent with HEAD") }
            body = Array(text.utf8)
        }
        if let text = try parameters.string("sha256") {
            if parameters.isList { throw .field("sha256", "is of the body of one url, not of urls") }
            guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else {
                throw .field("sha256", "is 64 hexadecimal digits")
            }
            sha256 = text.lowercased()
        }
        if let value = parameters.take("thumbnail") {
            guard let size = Self.size(value) else {
                let (least, most) = (ThumbnailSize.range.lowerBound, ThumbnailSize.range.upperBound)
                throw .field("thumbnail", "is {width, height}, each from \(least) to \(most) pixels")
            }
            thumbnail = size
        }
    }

    private static func size(_ value: JSONValue) -> ThumbnailSize? {
        guard let fields = value.object, fields.count == 2, let width = fields["width"]?.int,
            let height = fields["height"]?.int, ThumbnailSize.range ~= width, ThumbnailSize.range ~= height
        else { return nil }
        return ThumbnailSize(width: width, height: height)
    }

    /// Reads pairs of names and values, or an object; of an object the names are put in order.
    private static func headers(_ value: JSONValue) throws(ControlError) -> [HeaderField] {
        let pairs: [(String, JSONValue)]
        switch value {
        case .object(let fields): pairs = fields.map { ($0, $1) }.sorted { $0.0 < $1.0 }
        case .array(let fields):
            pairs = try fields.map { field throws(ControlError) in
                guard let pair = field.array, pair.count == 2, let name = pair[0].string else {
                    throw .field("headers", "is [[name, value]…] or an object of strings")
                }
                return (name, pair[1])
            }
        default: throw .field("headers", "is [[name, value]…] or an object of strings, not \(value.kind)")
        }
        return try pairs.map { name, value throws(ControlError) in
            guard let text = value.string else {
                throw .field("headers", "\(name.prefix(60)) is a string, not \(value.kind)")
            }
            do throws(HeaderFieldError) {
                return try HeaderField(checking: name, text)
            } catch {
                throw .field("headers", error.text)
            }
        }
    }
}
