/// Takes a line of `Cache-Control` apart.
enum DirectiveReader {
    struct Directive {
        /// Lower-cased.
        var name: String
        var argument: String?
        /// Whether something stood behind it that belongs to no directive.
        var isMalformed = false

        var age: CacheControl.Age {
            guard !isMalformed, let argument, !argument.isEmpty else { return .invalid }
            guard argument.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return .invalid }
            return .seconds(min(Int(argument) ?? CacheControl.greatest, CacheControl.greatest))
        }
    }

    /// Reads up to the next comma outside of quotes, and past it.
    ///
    /// - Parameters:
    ///   - bytes: The line.
    ///   - index: Where to begin, and then where the next one does.
    ///   - isOpen: Whether a quote was passed that is never closed. What stands behind it may be meant or not: it is read as
    ///     malformed, so that it forbids what it forbids and allows nothing.
    /// - Returns: `nil` for an element that does not begin with a name.
    static func next(_ bytes: Span<UInt8>, _ index: inout Int, isOpen: inout Bool) -> Directive? {
        skipBlanks(bytes, &index)
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        guard index > start else {
            skipElement(bytes, &index, &isOpen)
            return nil
        }
        var directive = Directive(name: text(bytes, start..<index).lowercased(), isMalformed: isOpen)
        if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
            index += 1
            directive.argument = isOpen ? nil : argument(bytes, &index)
        }
        skipBlanks(bytes, &index)
        if index < bytes.count, bytes[index] != UInt8(ascii: ",") { directive.isMalformed = true }
        skipElement(bytes, &index, &isOpen)
        return directive
    }

    /// A token, or what a quoted string holds; nothing where that has no end.
    private static func argument(_ bytes: Span<UInt8>, _ index: inout Int) -> String {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let start = index
            while index < bytes.count, bytes[index].isTokenByte { index += 1 }
            return text(bytes, start..<index)
        }
        guard let end = end(ofString: bytes, index) else { return "" }
        var value: [UInt8] = []
        index += 1
        while index < end - 1 {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            value.append(bytes[index])
            index += 1
        }
        index = end
        return String(decoding: value, as: UTF8.self)
    }

    private static func skipBlanks(_ bytes: Span<UInt8>, _ index: inout Int) {
        while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    }

    /// Skips what is left of an element, its comma included; a quote that is never closed hides nothing behind it.
    private static func skipElement(_ bytes: Span<UInt8>, _ index: inout Int, _ isOpen: inout Bool) {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            // One that is open is looked for its end once: it may be long.
            if bytes[index] == UInt8(ascii: "\""), !isOpen {
                let end = end(ofString: bytes, index)
                if end == nil { isOpen = true }
                index = end ?? index + 1
            } else {
                index += 1
            }
        }
        index += 1
    }

    /// Behind a quoted string that begins at `index`; `nil` if it has no end.
    private static func end(ofString bytes: Span<UInt8>, _ index: Int) -> Int? {
        var index = index + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
