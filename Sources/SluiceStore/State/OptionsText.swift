import SluiceCore

/// The options of requests as a text that is kept, so that a later process has the same.
///
/// One line for each option that is not as usual: a name, a blank, and the value, in which
/// `%`, line ends and blanks are percent-encoded. What a later version wrote and this one
/// does not know is left out.
enum OptionsText {
    static func text(_ options: RequestOptions) -> String {
        var lines: [String] = []
        func add(_ name: String, _ value: String) { lines.append(name + " " + encoded(value)) }
        for field in options.headers { lines.append("header \(encoded(field.name)) \(encoded(field.value))") }
        if let policy = options.policy { add("policy", policy.rawValue) }
        if options.priority != .normal { add("priority", "\(options.priority.rawValue)") }
        if !options.saves { add("saves", "0") }
        if let destination = options.destination { add("destination", destination) }
        if options.retryFailed { add("retryFailed", "1") }
        if options.method != "GET" { add("method", options.method) }
        if let body = options.body {
            lines.append("body " + hexadecimal(body))
        }
        if let sum = options.sha256 { add("sha256", sum) }
        if !options.stores { add("stores", "0") }
        if let size = options.thumbnail { add("thumbnail", "\(size.width)x\(size.height)") }
        return lines.joined(separator: "\n")
    }

    /// - Returns: `nil` if the text is damaged.
    static func options(_ text: String) -> RequestOptions? {
        var headers: [HeaderField] = []
        var (policy, priority, saves): (CachePolicy?, Priority, Bool) = (nil, .normal, true)
        var (destination, retryFailed): (String?, Bool) = (nil, false)
        var (method, body, sum): (String, [UInt8]?, String?) = ("GET", nil, nil)
        var (stores, thumbnail): (Bool, ThumbnailSize?) = (true, nil)
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = words(Substring(line)).map { decoded($0) }
            guard words.count > 1 else { return nil }
            switch words[0] {
            case "header" where words.count == 3: headers.append(HeaderField(words[1], words[2]))
            case "policy": policy = CachePolicy(rawValue: words[1])
            case "priority": priority = UInt8(words[1]).flatMap { Priority(rawValue: $0) } ?? .normal
            case "saves": saves = words[1] != "0"
            case "destination": destination = words[1]
            case "retryFailed": retryFailed = words[1] == "1"
            case "method": method = words[1]
            case "body": body = bytes(words[1])
            case "sha256": sum = words[1]
            case "stores": stores = words[1] != "0"
            case "thumbnail": thumbnail = size(words[1])
            default: break
            }
        }
        return RequestOptions(
            headers: headers,
            policy: policy,
            priority: priority,
            saves: saves,
            destination: destination,
            retryFailed: retryFailed,
            method: method,
            body: body,
            sha256: sum,
            stores: stores,
            thumbnail: thumbnail
        )
    }

    /// What blanks part; by bytes, since a blank before a combining mark is no character of its own.
    static func words(_ line: Substring) -> [Substring] {
        line.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Substring($0) }
    }

    private static func size(_ text: String) -> ThumbnailSize? {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ ThumbnailSize.range ~= $0 }) else { return nil }
        return ThumbnailSize(width: sides[0], height: sides[1])
    }

    /// Two digits for each byte.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                unsafe text[index * 2] = digits[Int(byte >> 4)]
                unsafe text[index * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    /// The same back; a digit that is none counts as 0, and one too many as nothing.
    private static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var digits = text.utf8.makeIterator()
        while let high = digits.next(), let low = digits.next() {
            bytes.append((PercentEncoding.digit(high) ?? 0) << 4 | (PercentEncoding.digit(low) ?? 0))
        }
        return bytes
    }

    static func encoded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= 32 || $0 == UInt8(ascii: "%") }) else { return text }
        var encoded = ""
        for scalar in text.unicodeScalars {
            if scalar.value <= 32 || scalar == "%" {
                encoded += scalar.value < 16 ? "%0" : "%"
                encoded += String(scalar.value, radix: 16)
            } else {
                encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }

    static func decoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
