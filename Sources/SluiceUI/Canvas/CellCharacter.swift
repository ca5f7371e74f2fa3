/// What one cell shows, packed into sixteen bytes: a grapheme cluster, or nothing right of a wide one.
///
/// Every frame copies and compares all cells. A `Character` would be counted and compared as a string then; this is
/// two numbers. Equal are the same scalars.
public struct CellCharacter: Equatable, Sendable {
    /// Scalars that are kept of a cluster; a cell of ncurses takes no more.
    public static let limit = 5

    /// Of three scalars, the first in the lowest 21 bits: each its value plus one, and zero for none.
    private var first: UInt64 = 0
    /// Of those after ``first``.
    private var second: UInt64 = 0

    /// Right of a wide character, which fills this cell too.
    public static let continuation = CellCharacter()
    static let blank = CellCharacter(" ")

    private init() {}

    init(scalar: Unicode.Scalar) { first = UInt64(scalar.value) + 1 }

    /// Keeps the first ``limit`` scalars.
    public init(_ character: Character) {
        for (index, scalar) in character.unicodeScalars.prefix(Self.limit).enumerated() {
            set(index, UInt64(scalar.value) + 1)
        }
    }

    /// Whether nothing is shown here, but the right half of what is to the left.
    public var isContinuation: Bool { first == 0 }

    /// The value of a scalar, from 0; `nil` behind the last.
    public subscript(index: Int) -> UInt32? {
        guard index < Self.limit else { return nil }
        let packed = (index < 3 ? first : second) >> UInt64(21 * (index % 3)) & 0x1F_FFFF
        return packed == 0 ? nil : UInt32(packed - 1)
    }

    /// `nil` if it is the right half of another.
    var character: Character? {
        guard let base = self[0].flatMap(Unicode.Scalar.init) else { return nil }
        if self[1] == nil { return Character(base) }
        var text = String.UnicodeScalarView()
        for index in 0..<Self.limit {
            guard let value = self[index], let scalar = Unicode.Scalar(value) else { break }
            text.append(scalar)
        }
        return Character(String(text))
    }

    private mutating func set(_ index: Int, _ packed: UInt64) {
        let bits = packed << UInt64(21 * (index % 3))
        if index < 3 { first |= bits } else { second |= bits }
    }
}
