extension RequestURL {
    /// The URL with a user in front of its host, so that it can be asked for again without anything beside it.
    ///
    /// Never to be shown or logged.
    ///
    /// - Parameter credentials: Who the user is; read again they are the same, whatever they consist of.
    /// - Returns: `nil` where no URL can say it: for what has no host, and for control characters.
    public func text(with credentials: Credentials) -> String? {
        let words = [credentials.user, credentials.password]
        guard isNetwork, !words.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) else { return nil }
        var bytes = Array(url.utf8.prefix(hostBounds.lowerBound))
        for (word, end) in zip(words, ":@".utf8) {
            for byte in word.utf8 {
                if URLParser.isAlphanumeric(byte) || "-._~".utf8.contains(byte) {
                    bytes.append(byte)
                } else {
                    PercentEncoding.append(byte, to: &bytes)
                }
            }
            bytes.append(end)
        }
        bytes += url.utf8.dropFirst(hostBounds.lowerBound)
        return String(decoding: bytes, as: UTF8.self)
    }
}
