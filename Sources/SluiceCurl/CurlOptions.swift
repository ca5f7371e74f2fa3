internal import CCurl
internal import Glibc
import SluiceCore

/// The options of one easy handle, set again only where they change.
///
/// A handle keeps its options from transfer to transfer, so what never changes is set
/// once, and most transfers set only their URL. Owns the strings and lists that curl
/// reads during a transfer. It may only change anything while the handle is idle.
@safe
final class CurlOptions {
    /// What differs between transfers.
    struct Changing: Equatable {
        var fields: [HeaderField]
        /// On the heap, since hardly any transfer has one.
        var proxy: Boxed<ProxyServer>?
        var offersEncodings: Bool
        var method = "GET"
        var body: [UInt8]?
        /// Lower-cased.
        var removedFields: [String] = []
        var credentials: Credentials?
        var isDigest = false
        var needsNewConnection = false
        var bufferSize = 262_144
        var connectTimeout: Duration
        /// Only then HTTP/2 is asked for; and a transfer rather waits to share a connection than opens one, since it is
        /// soon known whether it can.
        var isSecure: Bool
    }

    private static let errorSize = Int(CURL_ERROR_SIZE)
    /// What `Changing.offersEncodings` offers, and what ``ContentDecoder`` undoes in any case.
    private static let encodings = "gzip, deflate, br, zstd"

    private let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let jars: CookieJars?
    /// The jar of the transfer at hand.
    private var share: CurlShare?
    private let parsed = ParsedURL()
    private var usesParsed = false
    private var hasCookies = false
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var current: Changing?

    init(
        _ handle: UnsafeMutableRawPointer,
        _ configuration: CurlTransport.Configuration,
        _ jars: CookieJars?,
        _ policy: TrustPolicy
    ) {
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: Self.errorSize)
        unsafe errorText.initialize(repeating: 0, count: Self.errorSize)
        self.jars = jars
        setOnce(configuration, policy)
    }

    // The owner has cleaned the handle up by now, so that curl reads neither.
    deinit {
        unsafe curl_slist_free_all(fieldList)
        unsafe errorText.deallocate()
    }

    /// curl's sentence about the last failure; possibly empty.
    var failure: String { unsafe String(cString: errorText) }

    func set(url: String, _ wanted: Changing) {
        unsafe errorText[0] = 0
        // curl goes by it where it begins anew, as after a digest challenge.
        unsafe sluice_set_string(handle, CURLOPT_URL, url)
        let isParsed = parsed.set(url)
        if isParsed != usesParsed {
            unsafe sluice_set_url(handle, isParsed ? parsed.parsed : nil)
            usesParsed = isParsed
        }
        if let current, current == wanted { return }
        apply(wanted)
        current = wanted
    }

    private func setOnce(_ configuration: CurlTransport.Configuration, _ policy: TrustPolicy) {
        unsafe sluice_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        unsafe sluice_set_long(handle, CURLOPT_NOSIGNAL, 1)
        unsafe sluice_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe sluice_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // curl would take a body that is cut off within its coding for a whole one.
        unsafe sluice_set_long(handle, CURLOPT_HTTP_CONTENT_DECODING, 0)
        // Without it, what the judge of the handshake says would be ignored.
        unsafe sluice_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        unsafe sluice_set_long(handle, CURLOPT_SSL_VERIFYHOST, policy.validatesDomain ? 2 : 0)
        unsafe sluice_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        unsafe sluice_set_long(handle, CURLOPT_IPRESOLVE, configuration.ipVersion.option)
        // The authorities are read once, and not by curl, which would do it for every connection.
        for option in [CURLOPT_CAINFO, CURLOPT_CAPATH, CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH] {
            unsafe sluice_set_string(handle, option, nil)
        }
        // Said explicitly, or curl asks the environment.
        unsafe sluice_set_string(handle, CURLOPT_PROXY, "")
        unsafe sluice_set_string(handle, CURLOPT_NOPROXY, "")
        unsafe CurlTrust.markProxies(of: handle)
        // No file is read: the empty name only turns cookies on.
        if jars != nil { unsafe sluice_set_string(handle, CURLOPT_COOKIEFILE, "") }
    }

    // MARK: Cookies

    /// Chooses the cookies of a request, for all places that it is led to.
    func useCookies(of request: TransferRequest) {
        guard let jar = jars?.jar(of: request), jar !== share else { return }
        (share, hasCookies) = (jar, false)
        attachCookies()
    }

    /// Lets curl send and take the cookies of the transfer's jar.
    func attachCookies() {
        guard let share, !hasCookies else { return }
        unsafe sluice_set_pointer(handle, CURLOPT_SHARE, share.handle)
        hasCookies = true
    }

    /// The fields to send, where the user's `Cookie` field takes the place of curl's.
    ///
    /// curl would send both. So it gets none to send until the request is out, and those of
    /// other names go along with the user's.
    func withCookies(_ fields: [HeaderField], url: String) -> [HeaderField] {
        attachCookies()
        limitCookies()
        guard share != nil, let place = fields.firstIndex(where: { $0.isNamed("cookie") }),
            let (origin, path) = CurlURL.parts(of: url)
        else { return fields }
        var fields = fields
        let now = time(nil)
        let value = CookieHeader.merged(own: fields[place].value, jar: jar, origin: origin, path: path, now: now)
        fields[place] = HeaderField(fields[place].name, value)
        unsafe sluice_set_pointer(handle, CURLOPT_SHARE, nil)
        hasCookies = false
        return fields
    }

    /// Whether cookies that servers set are kept, and sent.
    var takesCookies: Bool { jars != nil }

    func noteCookies() { share?.newCookies += 1 }

    /// Lets the oldest go where servers set too many.
    private func limitCookies() {
        guard let share, share.newCookies >= CookieLimit.patience else { return }
        share.newCookies = 0
        guard let kept = CookieLimit.kept(of: jar) else { return }
        for line in ["ALL"] + kept { unsafe sluice_set_string(handle, CURLOPT_COOKIELIST, line) }
    }

    /// The cookies of all servers, as lines of a Netscape file.
    private var jar: [String] {
        var list: UnsafeMutablePointer<curl_slist>?
        unsafe sluice_get_list(handle, CURLINFO_COOKIELIST, &list)
        defer { unsafe curl_slist_free_all(list) }
        var lines: [String] = []
        var next = unsafe list
        while let entry = unsafe next {
            lines.append(unsafe String(cString: entry.pointee.data))
            unsafe next = entry.pointee.next
        }
        return lines
    }

    private func setProxy(_ proxy: ProxyServer?) {
        unsafe sluice_set_string(handle, CURLOPT_PROXY, proxy?.url ?? "")
        unsafe sluice_set_string(handle, CURLOPT_PROXYUSERNAME, proxy?.credentials?.user)
        unsafe sluice_set_string(handle, CURLOPT_PROXYPASSWORD, proxy?.credentials?.password)
    }

    private func apply(_ wanted: Changing) {
        if wanted.proxy != current?.proxy { setProxy(wanted.proxy?.value) }
        if wanted.fields != current?.fields || wanted.offersEncodings != current?.offersEncodings
            || wanted.removedFields != current?.removedFields || wanted.body != current?.body
            || wanted.proxy != current?.proxy
        {
            setFields(wanted)
        }
        if wanted.credentials != current?.credentials || wanted.isDigest != current?.isDigest {
            unsafe sluice_set_string(handle, CURLOPT_USERNAME, wanted.credentials?.user)
            unsafe sluice_set_string(handle, CURLOPT_PASSWORD, wanted.credentials?.password)
            let method = wanted.isDigest ? sluice_auth_digest() : sluice_auth_basic()
            unsafe sluice_set_long(handle, CURLOPT_HTTPAUTH, method)
        }
        if wanted.isSecure != current?.isSecure {
            // Without TLS nothing tells a connection of HTTP/2 but the status lines on it, which curl believes.
            let version = wanted.isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
            unsafe sluice_set_long(handle, CURLOPT_HTTP_VERSION, Int(version))
        }
        if wanted.method != current?.method || wanted.body != current?.body {
            setMethod(wanted.method, wanted.body)
        }
        // On a connection that dies before the answer curl asks once more by itself, which may do the same thing twice.
        let mayRepeat = wanted.method == "GET" || wanted.method == "HEAD"
        unsafe sluice_set_long(handle, CURLOPT_FRESH_CONNECT, mayRepeat && !wanted.needsNewConnection ? 0 : 1)
        unsafe sluice_set_long(handle, CURLOPT_BUFFERSIZE, wanted.bufferSize)
        let milliseconds = Int(clamping: wanted.connectTimeout.nanoseconds / 1_000_000)
        unsafe sluice_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        unsafe sluice_set_long(handle, CURLOPT_PIPEWAIT, wanted.isSecure ? 1 : 0)
    }

    private func setMethod(_ method: String, _ body: [UInt8]?) {
        if let body = body ?? (method == "POST" ? [] : nil) {
            unsafe sluice_set_long(handle, CURLOPT_POST, 1)
            // Copied by curl; an empty one still needs an address.
            let bytes = body.isEmpty ? [0] : body
            _ = unsafe bytes.withUnsafeBytes { unsafe sluice_set_body(handle, $0.baseAddress, body.count) }
        } else {
            unsafe sluice_set_body(handle, nil, -1)
            unsafe sluice_set_long(handle, method == "HEAD" ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
        }
        // curl names these by itself.
        let isUsual = method == "GET" && body == nil || method == "HEAD" || method == "POST"
        unsafe sluice_set_string(handle, CURLOPT_CUSTOMREQUEST, isUsual ? nil : method)
    }

    /// Puts the fields into curl's list, whose options for `User-Agent` and `Accept-Encoding` would format each twice.
    ///
    /// Only the option for the agent reaches proxies too, so it stays where there is one.
    private func setFields(_ wanted: Changing) {
        let fields = wanted.fields
        var list: UnsafeMutablePointer<curl_slist>?
        var agent: String?
        for field in fields {
            // curl looks through the list for each field of its own, so what it sends anyway stays out.
            let name = field.name.lowercased()
            if wanted.proxy != nil, name == "user-agent", agent == nil, !field.value.isEmpty {
                agent = Self.line(field.value)
            } else if name != "accept" || field.value != "*/*" {
                unsafe list = curl_slist_append(list, Self.line(field))
            }
        }
        unsafe sluice_set_string(handle, CURLOPT_USERAGENT, agent)
        for name in wanted.removedFields where name != "user-agent" {
            unsafe list = curl_slist_append(list, name + ":")
        }
        // Or curl asks first whether a large body is welcome, and waits for an answer that hardly anybody gives.
        if wanted.body != nil { unsafe list = curl_slist_append(list, "Expect:") }
        // What comes encoded is decoded in any case.
        if wanted.offersEncodings, !wanted.removedFields.contains("accept-encoding"),
            !fields.contains(where: { $0.isNamed("accept-encoding") })
        {
            // A range of what is encoded can't be decoded.
            let isPart = fields.contains { $0.isNamed("range") }
            unsafe list = curl_slist_append(list, "Accept-Encoding: \(isPart ? "identity" : Self.encodings)")
        }
        unsafe sluice_set_list(handle, CURLOPT_HTTPHEADER, list)
        unsafe curl_slist_free_all(fieldList)
        unsafe fieldList = list
    }

    /// A field as curl wants it; without control characters, which would make it two fields.
    static func line(_ field: HeaderField) -> String {
        // An empty value takes a semicolon, since a colon would take the field away.
        line(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }

    private static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 || $0 == "\t" }))
    }
}
