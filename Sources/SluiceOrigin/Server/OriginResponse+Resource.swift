internal import SluiceCore

extension OriginResponse {
    /// Answers as a server of unchanging files does: 200, 206 for one byte range, 304 for a known validator, or 416.
    ///
    /// - Parameters:
    ///   - body: The whole resource.
    ///   - request: Its `Range`, `If-Range`, `If-None-Match` and `If-Modified-Since` count.
    ///   - type: Content type.
    ///   - etag: With its quotes; `nil` for none.
    ///   - lastModified: An HTTP date; dates are compared as text.
    /// - Returns: An answer that may be changed further.
    public static func resource(
        _ body: Body,
        for request: OriginRequest,
        type: String = "application/octet-stream",
        etag: String? = nil,
        lastModified: String? = nil
    ) -> OriginResponse {
        var headers = [HeaderField("Content-Type", type), HeaderField("Accept-Ranges", "bytes")]
        if let etag { headers.append(HeaderField("ETag", etag)) }
        if let lastModified { headers.append(HeaderField("Last-Modified", lastModified)) }

        if let known = request.header("if-none-match") {
            if let etag, known == "*" || known.contains(etag) { return OriginResponse(304, headers: headers) }
        } else if let lastModified, request.header("if-modified-since") == lastModified {
            return OriginResponse(304, headers: headers)
        }

        let condition = request.header("if-range")
        let mayRange = condition.map { $0 == etag || $0 == lastModified } ?? true
        // A server may leave several ranges aside.
        guard mayRange, let wish = request.header("range"), !wish.contains(",") else {
            return OriginResponse(headers: headers, body: body)
        }
        guard let range = byteRange(wish, of: body.count) else {
            return OriginResponse(416, headers: headers + [HeaderField("Content-Range", "bytes */\(body.count)")])
        }
        let value = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"
        return OriginResponse(
            206,
            headers: headers + [HeaderField("Content-Range", value)],
            body: body.part(range)
        )
    }

    /// `bytes=a-b`, `bytes=a-` and `bytes=-n`; `nil` if no byte of the resource is meant.
    private static func byteRange(_ wish: String, of count: Int) -> Range<Int>? {
        guard wish.hasPrefix("bytes="), let dash = wish.firstIndex(of: "-") else { return nil }
        let first = wish[wish.index(wish.startIndex, offsetBy: 6)..<dash]
        let last = Int(wish[wish.index(after: dash)...])
        guard let start = Int(first) else {
            guard first.isEmpty, let last, last > 0, count > 0 else { return nil }
            return max(0, count - last)..<count
        }
        let end = min(last ?? count - 1, count - 1)
        return start <= end ? start..<end + 1 : nil
    }
}

extension OriginResponse.Body {
    /// A part of the body, by offsets before any encoding.
    public func part(_ range: Range<Int>) -> OriginResponse.Body {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .pattern(_, let from): .pattern(count: range.count, from: from + range.lowerBound)
        case .zeros: .zeros(count: range.count)
        }
    }
}
