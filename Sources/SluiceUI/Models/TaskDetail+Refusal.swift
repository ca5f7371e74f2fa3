internal import SluiceCore

/// The start of the body that an answer was refused with.
extension TaskDetail {
    /// Its text, or what it is, if it is none: pages of signs that stand for bytes tell nobody anything.
    func refusedBody(width: Int) -> [Line] {
        guard let body = end?.error?.body, !body.isEmpty else { return [] }
        var lines: [Line] = [.rule("refused with this body", StyledText())]
        guard Self.isText(body) else { return lines + [.text(.dim(bodyWithoutText))] }
        for line in body.split(whereSeparator: \.isNewline) {
            lines += TextWrap.lines(visible(String(line)), columns: width).map { .text(.plain($0)) }
        }
        return lines
    }

    /// Whether it was meant to be read, though some of it may be in another encoding, cut off, or hostile.
    private static func isText(_ body: String) -> Bool {
        var (count, strange) = (0, 0)
        for scalar in body.unicodeScalars {
            if scalar == "\0" { return false }
            count += 1
            let isControl = scalar.value < 0x20 && !(0x09...0x0D).contains(scalar.value)
            if isControl || scalar == "\u{FFFD}" { strange += 1 }
        }
        return strange * 4 <= count
    }

    /// `4.0 KiB of image/png`, `23 B of text in windows-1251`, `300 B that is no text`.
    private var bodyWithoutText: String {
        let size = head?.expected.map { Format.bytes($0).text }
        switch (size, kindOfBody) {
        case (let size?, let kind?): return "\(size) of \(kind)"
        case (let size?, nil): return "\(size) that is no text"
        case (nil, let kind?): return kind
        case (nil, nil): return "no text"
        }
    }

    /// What the server calls it; `nil` if it does not say.
    ///
    /// A text that can't be read here is one all the same: servers still answer in the encodings of their countries.
    private var kindOfBody: String? {
        guard let type = head?.mediaType else { return nil }
        guard type.hasPrefix("text/") else { return visible(type) }
        guard let charset, charset != "utf-8", charset != "utf8" else { return "text that is not UTF-8" }
        return "text in \(VisibleText.visible(charset, limit: 40))"
    }

    /// The encoding that the server names, lower-cased, without quotes; `nil` if it names none.
    private var charset: String? {
        let parameters = (head?.contentType ?? "").split { $0 == ";" || $0 == "," }.dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmed.lowercased() == "charset" else { continue }
            let name = String(parts[1]).filter { $0 != "\"" && $0 != "'" }.trimmed.lowercased()
            return name.isEmpty ? nil : name
        }
        return nil
    }
}
