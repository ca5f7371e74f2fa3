/// One field of an object, as a schema has it.
struct Field: Sendable {
    let name: String
    let type: FieldType
    let isOptional: Bool

    init(_ name: String, _ type: FieldType, isOptional: Bool = false) {
        (self.name, self.type, self.isOptional) = (name, type, isOptional)
    }
}
