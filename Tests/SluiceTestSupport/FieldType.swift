import SluiceCore

/// What a field may hold; an unknown field of an object is a problem.
indirect enum FieldType: Sendable {
    case integer(PartialRangeFrom<Int>)
    /// Not negative.
    case seconds
    case flag
    case text
    case word([String])
    /// By RFC 3339 in UTC.
    case time
    case settingValue
    /// Name and value of a header field.
    case pair
    case nullable(FieldType)
    case array(FieldType)
    case object([Field])

    /// - Returns: `nil` if the value is as it should be.
    func problem(with value: JSONValue, at path: String) -> String? {
        let isFine: Bool
        switch self {
        case .integer(let range):
            // What other readers keep as a double must not be rounded.
            if case .integer(let number) = value {
                isFine = range.contains(number) && number.magnitude <= 1 << 53
            } else {
                isFine = false
            }
        case .seconds: isFine = value.double.map { $0 >= 0 } ?? false
        case .flag: isFine = value.bool != nil
        case .text: isFine = value.string != nil
        case .word(let words): isFine = value.string.map(words.contains) ?? false
        case .time:
            let form = /[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z/
            isFine = value.string?.wholeMatch(of: form) != nil
        case .settingValue:
            isFine =
                value.double != nil || value.bool != nil || value.string != nil
                || value.array?.allSatisfy { $0.string != nil } == true
        case .pair: isFine = value.array.map { $0.count == 2 && $0.allSatisfy { $0.string != nil } } ?? false
        case .nullable(let type): return value == .null ? nil : type.problem(with: value, at: path)
        case .array(let type):
            guard let values = value.array else { return "\(path) is no array" }
            return values.lazy.compactMap { type.problem(with: $0, at: path + "[]") }.first
        case .object(let fields): return Self.problem(with: value, fields: fields, at: path)
        }
        return isFine ? nil : "\(path) is \(value)"
    }

    private static func problem(with value: JSONValue, fields: [Field], at path: String) -> String? {
        guard case .object(let values) = value else { return "\(path) is no object" }
        for field in fields {
            guard let value = values[field.name] else {
                if field.isOptional { continue }
                return "\(path) lacks \(field.name)"
            }
            if let problem = field.type.problem(with: value, at: "\(path).\(field.name)") { return problem }
        }
        let unknown = Set(values.keys).subtracting(fields.map(\.name))
        return unknown.isEmpty ? nil : "\(path) has an unknown \(unknown.sorted().joined(separator: ", "))"
    }
}
