/// Names the file of a body, from what servers and URLs propose, so that no name does harm.
///
/// A safe name is one path component: no separators, no control, direction, zero-width or
/// tag characters, nothing that other systems reserve, no leading dot, 1 to 200 bytes,
/// and not one of the endings that Sluice gives to unfinished and broken files.
public enum FileName {
    private static let limit = 200
    /// As numbers, since every saved body asks for one.
    private static let imageEndings: [UInt64] = [
        "apng", "avif", "bmp", "gif", "heic", "heif", "ico", "jfif", "jpe", "jpeg", "jpg", "jxl", "png", "svg", "tif",
        "tiff", "webp",
    ].compactMap { packed($0.utf8.span) }

    /// Chooses the name of a body.
    ///
    /// - Parameters:
    ///   - disposition: The `Content-Disposition` field, whose file name goes before that of the URL.
    ///   - url: The one asked for, normalised; its last path part is the name where the server proposes none.
    ///   - contentType: As sent; only told in the warning.
    ///   - isHTML: Whether the body is HTML, judged by its bytes.
    /// - Returns: A safe name; and a warning if HTML came where the name promises an image.
    public static func choose(
        disposition: String?,
        url: String,
        contentType: String? = nil,
        isHTML: Bool = false
    ) -> (name: String, warning: String?) {
        // Of one that is empty, or no name, the other is not hidden.
        let proposed = disposition.map(ContentDisposition.fileNames(in:)) ?? []
        let name = proposed.lazy.compactMap { sanitised(lastComponent($0)) }.first ?? sanitised(ofURL(url)) ?? "index"
        guard isHTML, promisesImage(name) else { return (name, nil) }
        let type = contentType.map { ", sent as \($0)" } ?? ""
        return (
            shortened(name, by: 5) + ".html", "\(name) is HTML and no image\(type), maybe a login page; kept as .html"
        )
    }

    /// Chooses the name under which lists show a task, and filters find it.
    ///
    /// What its answer proposes is left out, so that whoever steers what a filter shows steers just that.
    ///
    /// - Parameter url: As for ``choose(disposition:url:contentType:isHTML:)``.
    /// - Returns: A safe name.
    public static func listed(for url: String) -> String { choose(disposition: nil, url: url).name }

    /// What the URL calls its body, decoded.
    private static func ofURL(_ url: String) -> String {
        let part = RequestURL.lastPathPart(of: url)
        let bytes = part.utf8.span
        guard bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "%") }) else { return part }
        return String(decoding: PercentEncoding.decode(part.utf8), as: UTF8.self)
    }

    /// Whether a name ends as those of images do; only then it matters whether the body is HTML.
    public static func promisesImage(_ name: String) -> Bool {
        let bytes = name.utf8.span
        return packed(bytes.extracting(start(ofExtensionIn: bytes)...)).map(imageEndings.contains) ?? false
    }

    /// The bytes of an ending as one number, in lower case.
    ///
    /// - Returns: `nil` for none, and for one of more than seven bytes.
    private static func packed(_ ending: Span<UInt8>) -> UInt64? {
        guard 1...7 ~= ending.count else { return nil }
        var number: UInt64 = 0
        for index in ending.indices {
            let byte = ending[index]
            number = number << 8 | UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        return number
    }

    /// Makes any text a safe name.
    ///
    /// - Returns: `index` if nothing of it can stay.
    public static func safe(_ text: String) -> String { sanitised(text) ?? "index" }

    /// Makes room for a number before the ending.
    ///
    /// - Parameters:
    ///   - name: Any name; one that is longer than the limit on the wish of a caller may stay so.
    ///   - reserve: Bytes that are to be put in.
    /// - Returns: The name, cut so that it keeps to the limit with them.
    public static func leavingRoom(in name: String, for reserve: Int) -> String {
        shortened(name, by: reserve, limit: max(limit, name.utf8.count))
    }

    private static func lastComponent(_ path: String) -> String {
        let start = path.unicodeScalars.lastIndex { $0 == "/" || $0 == "\\" }
        return start.map { String(path.unicodeScalars[$0...].dropFirst()) } ?? path
    }

    private static func sanitised(_ text: String) -> String? {
        guard let name = isHarmless(text) ? text : tamed(text) else { return nil }
        return isReserved(name) ? shortened(name, by: 1) + "_" : name
    }

    /// Whether a name ends as those of unfinished and broken files do.
    private static func isReserved(_ name: String) -> Bool {
        let bytes = name.utf8.span
        func ends(_ ending: String) -> Bool { bytes.matchesIgnoringCase(ending, at: bytes.count - ending.utf8.count) }
        return ends(".part") || ends(".bad")
    }

    /// Whether there is nothing to tame: nearly all names, which are spared the closer look.
    private static func isHarmless(_ text: String) -> Bool {
        let bytes = text.utf8.span
        guard 1...limit ~= bytes.count, bytes[0] != UInt8(ascii: ".") else { return false }
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    private static func tamed(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isHazardous {
            scalars.append(isForbidden(scalar) ? "_" : scalar)
        }
        let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let trimmed = scalars.drop(while: isBlank)
        guard let last = trimmed.lastIndex(where: { !isBlank($0) }) else { return nil }
        let dots = trimmed.prefix { $0 == "." }.count
        return shortened(String(repeating: "_", count: dots) + String(trimmed[...last].dropFirst(dots)), by: 0)
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "/", "\\", "<", ">", ":", "\"", "|", "?", "*", "\u{FFFD}": true
        default: false
        }
    }

    /// What stands behind the last dot, or nothing.
    private static func fileExtension(of name: String) -> Substring {
        let bytes = name.utf8.span
        return name[name.utf8.index(name.startIndex, offsetBy: start(ofExtensionIn: bytes))...]
    }

    /// Behind the last dot; the end where there is none.
    private static func start(ofExtensionIn bytes: Span<UInt8>) -> Int {
        var start = bytes.count
        while start > 0, bytes[start - 1] != UInt8(ascii: ".") { start -= 1 }
        return start == 0 ? bytes.count : start
    }

    /// Cuts the stem so that the name, and `reserve` bytes more, keep to the limit.
    private static func shortened(_ name: String, by reserve: Int, limit: Int = limit) -> String {
        let limit = limit - reserve
        guard name.utf8.count > limit else { return name }
        let ending = fileExtension(of: name)
        // A long ending is none, but a dot in a sentence.
        let hasEnding = 1...20 ~= ending.utf8.count
        let kept = hasEnding ? "." + ending : ""
        let stem = hasEnding ? name.dropLast(ending.count + 1) : name[...]
        return prefix(of: stem, bytes: limit - kept.utf8.count) + kept
    }

    /// As many whole characters as fit; of one that is larger than that, as many scalars.
    private static func prefix(of text: Substring, bytes limit: Int) -> String {
        var (cut, count) = ("", 0)
        for character in text {
            count += character.utf8.count
            guard count <= limit else { break }
            cut.append(character)
        }
        guard cut.isEmpty else { return cut }
        count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= limit else { break }
            cut.unicodeScalars.append(scalar)
        }
        return cut
    }
}
