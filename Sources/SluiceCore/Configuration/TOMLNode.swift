/// One value of a TOML document, and the line on which it begins.
public struct TOMLNode: Equatable, Sendable {
    /// The types of TOML, dates and times as one.
    public enum Value: Equatable, Sendable {
        /// Of any of the four kinds, escapes resolved.
        case string(String)
        /// Written in any base; fits in 64 bits.
        case integer(Int)
        /// Infinities and what is no number among them.
        case float(Double)
        case boolean(Bool)
        /// A date, a time, or both, as written: no setting of Sluice's is one.
        case date(String)
        /// A list in brackets, or the tables of one `[[name]]`.
        case array([TOMLNode])
        case table(TOMLTable)
    }

    /// What was written, as its type says.
    public let value: Value
    /// From 1.
    public let line: Int

    /// A value that was read, and where it begins.
    public init(_ value: Value, line: Int) { (self.value, self.line) = (value, line) }

    /// The text of a string, escapes resolved; `nil` for every other type.
    public var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// `nil` for every other type: TOML knows no words like `yes`.
    public var boolean: Bool? {
        if case .boolean(let flag) = value { flag } else { nil }
    }

    /// A whole number; `nil` for every other type, floats included.
    public var integer: Int? {
        if case .integer(let number) = value { number } else { nil }
    }

    /// A table, with a header of its own or in braces; `nil` for every other type.
    public var table: TOMLTable? {
        if case .table(let table) = value { table } else { nil }
    }

    /// The values of an array, or of the tables that `[[…]]` made; `nil` for every other type.
    public var array: [TOMLNode]? {
        if case .array(let nodes) = value { nodes } else { nil }
    }

    /// The texts of an array that holds nothing else; `nil` for every other value.
    public var strings: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.count == array.count ? texts : nil
    }

    /// What it is, for a sentence that says what else was wanted: `the text "four"`, `the number 4`, `a table`.
    ///
    /// A URL is given without credentials.
    public var phrase: String {
        switch value {
        case .string(let text): "the text \"\(RequestURL.withoutCredentials(text).withVisibleControls)\""
        case .integer(let number): "the number \(number)"
        case .float(let number): "the number \(number)"
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let text): "the date \(text)"
        case .array: "an array"
        case .table: "a table"
        }
    }
}
