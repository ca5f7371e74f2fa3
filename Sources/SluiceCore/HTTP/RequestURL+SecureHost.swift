extension RequestURL {
    /// A host as a URL over https; `nil` if it is none.
    ///
    /// - Parameter host: `host`, `host:port`, or a URL over https without a path.
    public init?(secureHost host: String) {
        let text = host.hasPrefix("https://") ? host : "https://" + host
        guard let url = try? RequestURL(text.hasSuffix("/") ? text : text + "/"), url.credentials == nil,
            url.origin + "/" == url.url
        else { return nil }
        self = url
    }
}
