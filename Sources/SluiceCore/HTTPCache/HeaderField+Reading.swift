/// Looks up header fields by name, in any case of letters, without making strings of the names.
extension [HeaderField] {
    /// Whether a field of that name, given in lower case, is there.
    public func has(_ name: StaticString) -> Bool {
        // In place: a field that is taken out counts two references.
        let fields = span
        for index in fields.indices where fields[index].isNamed(name) { return true }
        return false
    }

    /// The values of all fields of that name, given in lower case, in order.
    public func values(of name: StaticString) -> [String] {
        // Most are asked for in vain.
        guard has(name) else { return [] }
        return filter { $0.isNamed(name) }.map(\.value)
    }

    /// The value of the only field of that name.
    ///
    /// - Returns: `nil` if there is none, or there are several of different values.
    public func single(_ name: StaticString) -> String? {
        var found: String?
        for field in self where field.isNamed(name) {
            if let found, found != field.value { return nil }
            found = field.value
        }
        return found
    }

    /// All values of that name as the one line that they are equal to, blanks around its elements taken away.
    ///
    /// - Parameter name: In lower case.
    /// - Returns: `nil` if there is none.
    func combined(_ name: String) -> String? {
        let lines = filter { $0.name.lowercased() == name }
        if lines.isEmpty { return nil }
        return lines.flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimmingBlanks }.joined(separator: ",")
    }
}

extension HeaderField {
    /// Whether it has that name, given in lower case.
    public func isNamed(_ name: StaticString) -> Bool {
        // Before any look at the bytes, for which the text would be held: nearly all names differ in length.
        guard self.name.utf8.count == name.utf8CodeUnitCount else { return false }
        let bytes = self.name.utf8.span
        for index in bytes.indices {
            let byte = bytes[index]
            // Sound: the index is below the count, which was compared.
            let wanted = unsafe name.utf8Start[index]
            if wanted != (byte >= 65 && byte <= 90 ? byte | 32 : byte) { return false }
        }
        return true
    }
}

extension Substring {
    /// Without blanks and tabs at its ends.
    var trimmingBlanks: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
