/// What a server says in `WWW-Authenticate`.
///
/// - SeeAlso: RFC 9110 §11.6.1
enum Challenges {
    /// Whether a field names a scheme, given in lower case: several may stand in one field, and what is quoted is no scheme.
    static func name(_ scheme: String, in field: String) -> Bool {
        var (isQuoted, isEscaped) = (false, false)
        let elements = field.split { character in
            if isEscaped {
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
            } else if isQuoted, character == "\\" {
                isEscaped = true
            }
            return character == "," && !isQuoted
        }
        // A parameter has an equals sign behind its name, so that only a scheme stands alone.
        return elements.contains { $0.split(whereSeparator: \.isWhitespace).first?.lowercased() == scheme }
    }
}
