/// The words of a status, from the registry and never from the server.
///
/// - SeeAlso: RFC 9110 §15
enum StatusPhrase {
    /// `404 Not Found`, `418, which says that the request is wrong`.
    static func with(_ status: Int) -> String {
        let phrase = of(status)
        return "\(status)\(phrase.hasPrefix("which ") ? "," : "") \(phrase)"
    }

    static func of(_ status: Int) -> String {
        switch status {
        case 300...399: "which leads nowhere that can be followed"
        case 400: "Bad Request"
        case 401: "Unauthorized: it wants a user name and password that it knows (--user HOST=USER:PASSWORD)"
        case 403: "Forbidden"
        case 404: "Not Found"
        // Which of both it is, is not known here.
        case 407:
            "Proxy Authentication Required: put a user name and password into the proxy's URL; "
                + "where no proxy is in use, the server answers as if it were one"
        case 408: "Request Timeout"
        case 410: "Gone"
        case 416: "Range Not Satisfiable"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 400...499: "which says that the request is wrong"
        default: "which says that the server failed"
        }
    }
}
