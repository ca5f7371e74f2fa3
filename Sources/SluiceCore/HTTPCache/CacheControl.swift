/// The directives of `Cache-Control`, of a request or of a response.
///
/// Read as the RFC asks of a careful cache: names in any case, arguments as token or in
/// quotes. What is no number counts as the value that lets least be reused, and so does a
/// directive that says two different things. Unknown directives are ignored, and so are two
/// that change nothing here: `private`, which speaks to shared caches, and `immutable`, since
/// what is fresh is not asked for anyway unless the user wants that.
///
/// - SeeAlso: RFC 9111 §5.2, RFC 5861; RFC 8246 for `immutable`
public struct CacheControl: Equatable, Sendable {
    /// A number of seconds, as said.
    public enum Age: Equatable, Sendable {
        /// At most ``CacheControl/greatest``.
        case seconds(Int)
        /// No number, or several different ones.
        case invalid

        /// With `fallback` in place of what makes no sense.
        public func seconds(or fallback: Int) -> Int {
            if case .seconds(let seconds) = self { seconds } else { fallback }
        }
    }

    /// What stands for all greater numbers: 2³¹ seconds are 68 years.
    ///
    /// - SeeAlso: RFC 9111 §1.2.2
    public static let greatest = 2_147_483_648

    /// Nothing of request or answer is kept: RFC 9111 §5.2.1.5, §5.2.2.5.
    public private(set) var noStore = false
    /// Also where it names fields, which is handled as if it named none.
    public private(set) var noCache = false
    /// Once stale, it is never used without asking the origin: RFC 9111 §5.2.2.2.
    public private(set) var mustRevalidate = false
    /// It is kept only by who knows what its status demands: RFC 9111 §5.2.2.3.
    public private(set) var mustUnderstand = false
    /// Whether nothing of it may be stored: who understands its status may ignore `no-store` then (RFC 9111, 5.2.2.3).
    public var forbidsStoring: Bool { noStore && !mustUnderstand }
    /// It may be kept where it would not be otherwise: RFC 9111 §5.2.2.9.
    public private(set) var isPublic = false
    /// The request is never sent on: RFC 9111 §5.2.1.7.
    public private(set) var onlyIfCached = false
    /// Seconds of freshness that a response has, or of age that a request takes; `nil` if nothing is said.
    public private(set) var maxAge: Age?
    /// Seconds for which the request wants it fresh; `nil` if nothing is said: RFC 9111 §5.2.1.3.
    public private(set) var minFresh: Age?
    /// `.some(nil)` accepts any staleness.
    public private(set) var maxStale: Age??
    /// Seconds after its freshness for which it may be used while the origin is asked: RFC 5861 §3.
    public private(set) var staleWhileRevalidate: Age?
    /// Seconds after its freshness for which it may stand in for an error: RFC 5861 §4.
    public private(set) var staleIfError: Age?

    /// Reads all fields of that name together.
    public init(_ fields: [HeaderField]) {
        // Looked at in place, since hardly any field is the one.
        let fields = fields.span
        for index in fields.indices where fields[index].isNamed("cache-control") { read(fields[index].value) }
    }

    /// Reads one line.
    public mutating func read(_ line: String) {
        let bytes = line.utf8.span
        var (index, isOpen) = (0, false)
        while index < bytes.count {
            let element = DirectiveReader.next(bytes, &index, isOpen: &isOpen)
            if let element { take(element) }
        }
    }

    private mutating func take(_ directive: DirectiveReader.Directive) {
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        // It weakens `no-store`, so it has to be meant.
        case "must-understand": mustUnderstand = mustUnderstand || !directive.isMalformed
        case "public": isPublic = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = Self.merge(maxAge, directive.age)
        case "min-fresh": minFresh = Self.merge(minFresh, directive.age)
        case "max-stale":
            let age: Age? = directive.argument == nil && !directive.isMalformed ? nil : directive.age
            if case .some(let known)? = maxStale {
                maxStale = .some(Self.merge(known, age ?? known))
            } else {
                maxStale = .some(age)
            }
        case "stale-while-revalidate": staleWhileRevalidate = Self.merge(staleWhileRevalidate, directive.age)
        case "stale-if-error": staleIfError = Self.merge(staleIfError, directive.age)
        default: break
        }
    }

    private static func merge(_ known: Age?, _ age: Age) -> Age { known == nil || known == age ? age : .invalid }
}
