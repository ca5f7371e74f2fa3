internal import SluiceCore

/// Writes the heads of answers, right or wrong, as scripted.
enum HeadText {
    static func interim(_ interim: OriginResponse.Interim) -> [UInt8] {
        let response = OriginResponse(interim.status, headers: interim.headers)
        return text(response.status, response.reason, response.headers)
    }

    /// The head before a body of so many bytes as sent.
    static func final(_ response: OriginResponse, bodyLength: Int) -> [UInt8] {
        var headers = response.headers
        if let encoding = response.encoding { headers.append(HeaderField("Content-Encoding", encoding.rawValue)) }
        switch response.framing {
        case .chunked: headers.append(HeaderField("Transfer-Encoding", "chunked"))
        case .untilClose: headers.append(HeaderField("Connection", "close"))
        case .length:
            let mayHaveBody = response.status != 204 && response.status != 304
            let lengths = response.declaredLengths ?? (mayHaveBody ? ["\(bodyLength)"] : [])
            headers += lengths.map { HeaderField("Content-Length", $0) }
        }
        return text(response.status, response.reason, headers)
    }

    private static func text(_ status: Int, _ reason: String, _ headers: [HeaderField]) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(reason)\r\n"
        for field in headers { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
