internal import CCurl
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
        var offersEncodings: Bool
        var isHead = false
        var credentials: Credentials?
        var isDigest = false
        var bufferSize = 262_144
        var connectTimeout: Duration
        /// Rather waits to share a connection than opens one; for https only, where it is soon known whether it can.
        var isSecure: Bool
    }

    private static let errorSize = Int(CURL_ERROR_SIZE)
    /// What `Changing.offersEncodings` offers, and what is decoded in any case.
    private static let encodings = "gzip, deflate, br, zstd"

    private let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private let share: CurlShare?
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    private var current: Changing?

    init(_ handle: UnsafeMutableRawPointer, _ configuration: CurlTransport.Configuration, _ share: CurlShare?) {
        unsafe self.handle = handle
        unsafe errorText = .allocate(capacity: Self.errorSize)
        unsafe errorText.initialize(repeating: 0, count: Self.errorSize)
        self.share = share
        setOnce(configuration)
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
        unsafe sluice_set_string(handle, CURLOPT_URL, url)
        if current == wanted { return }
        apply(wanted)
        current = wanted
    }

    private func setOnce(_ configuration: CurlTransport.Configuration) {
        unsafe sluice_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
        unsafe sluice_set_long(handle, CURLOPT_NOSIGNAL, 1)
        unsafe sluice_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        unsafe sluice_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        unsafe sluice_set_string(handle, CURLOPT_ACCEPT_ENCODING, Self.encodings)
        unsafe sluice_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        unsafe sluice_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1)
        unsafe sluice_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2)
        unsafe sluice_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        unsafe sluice_set_long(handle, CURLOPT_IPRESOLVE, configuration.ipVersion.option)
        if let file = configuration.caFile ?? CurlLibrary.caFile {
            unsafe sluice_set_string(handle, CURLOPT_CAINFO, file)
            // With a CAPATH, curl parses the CA bundle again for every connection.
            unsafe sluice_set_pointer(handle, CURLOPT_CAPATH, nil)
        }
        if let share {
            unsafe sluice_set_pointer(handle, CURLOPT_SHARE, share.handle)
            // No file is read: the empty name only turns cookies on.
            unsafe sluice_set_string(handle, CURLOPT_COOKIEFILE, "")
        }
    }

    private func apply(_ wanted: Changing) {
        if wanted.fields != current?.fields || wanted.offersEncodings != current?.offersEncodings {
            setFields(wanted.fields, offersEncodings: wanted.offersEncodings)
        }
        if wanted.credentials != current?.credentials || wanted.isDigest != current?.isDigest {
            unsafe sluice_set_string(handle, CURLOPT_USERNAME, wanted.credentials?.user)
            unsafe sluice_set_string(handle, CURLOPT_PASSWORD, wanted.credentials?.password)
            let method = wanted.isDigest ? sluice_auth_digest() : sluice_auth_basic()
            unsafe sluice_set_long(handle, CURLOPT_HTTPAUTH, method)
        }
        if wanted.isHead != current?.isHead {
            unsafe sluice_set_long(handle, wanted.isHead ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
        }
        unsafe sluice_set_long(handle, CURLOPT_BUFFERSIZE, wanted.bufferSize)
        let milliseconds = Int(clamping: wanted.connectTimeout.nanoseconds / 1_000_000)
        unsafe sluice_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
        unsafe sluice_set_long(handle, CURLOPT_PIPEWAIT, wanted.isSecure ? 1 : 0)
    }

    private func setFields(_ fields: [HeaderField], offersEncodings: Bool) {
        var list: UnsafeMutablePointer<curl_slist>?
        var agent: String?
        for field in fields {
            // curl looks through the list for each field of its own, so what it sends anyway stays out.
            let name = field.name.lowercased()
            if name == "user-agent", agent == nil, !field.value.isEmpty {
                agent = Self.line(field.value)
            } else if name != "accept" || field.value != "*/*" {
                unsafe list = curl_slist_append(list, Self.line(field))
            }
        }
        unsafe sluice_set_string(handle, CURLOPT_USERAGENT, agent)
        if !offersEncodings, !fields.contains(where: { $0.name.lowercased() == "accept-encoding" }) {
            // Decoding stays on, the offer goes: a name without a value takes curl's own field away.
            unsafe list = curl_slist_append(list, "Accept-Encoding:")
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
