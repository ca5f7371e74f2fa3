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
    /// - Returns: `nil` for an element that does not begin with a name.
    static func next(_ bytes: Span<UInt8>, _ index: inout Int) -> Directive? {
        skipBlanks(bytes, &index)
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        guard index > start else {
            skipElement(bytes, &index)
            return nil
        }
        var directive = Directive(name: text(bytes, start..<index).lowercased())
        if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
            index += 1
            directive.argument = argument(bytes, &index, &directive.isMalformed)
        }
        skipBlanks(bytes, &index)
        if index < bytes.count, bytes[index] != UInt8(ascii: ",") { directive.isMalformed = true }
        skipElement(bytes, &index)
        return directive
    }

    private static func argument(_ bytes: Span<UInt8>, _ index: inout Int, _ isMalformed: inout Bool) -> String {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            let start = index
            while index < bytes.count, bytes[index].isTokenByte { index += 1 }
            return text(bytes, start..<index)
        }
        index += 1
        var value: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
            value.append(bytes[index])
            index += 1
        }
        // A string without its end.
        isMalformed = index == bytes.count
        index += 1
        return String(decoding: value, as: UTF8.self)
    }

    private static func skipBlanks(_ bytes: Span<UInt8>, _ index: inout Int) {
        while index < bytes.count, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    }

    /// Skips what is left of an element, its comma included.
    private static func skipElement(_ bytes: Span<UInt8>, _ index: inout Int) {
        var isQuoted = false
        while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ",") {
            if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, bytes[index] == UInt8(ascii: "\\") { index += 1 }
            index += 1
        }
        index += 1
    }

    private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
