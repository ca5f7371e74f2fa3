public import SluiceCore

/// A picture that the terminal draws by itself, pixel by pixel, behind cells that stand for its parts.
///
/// The cells are ordinary ones, so that everything that can cover or move text covers and
/// moves the picture too.
///
/// - SeeAlso: kitty, "The terminal graphics protocol", Unicode placeholders.
public struct PixelPicture: Equatable, Sendable {
    /// The numbers that pictures of Sluice have in the terminal; two, so that one can replace the other.
    public static let numbers: [UInt8] = [211, 212]

    /// How large a cell of the terminal is, in pixels.
    public struct CellSize: Equatable, Sendable {
        /// In pixels. `1...512`
        public let width: Int
        /// In pixels. `1...512`
        public let height: Int

        /// - Parameters:
        ///   - width: In pixels. `1...512`
        ///   - height: As `width`.
        public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
    }

    /// One of ``numbers``.
    public let number: UInt8
    /// Says whether two are the same: equal serials have equal pixels and places.
    public let serial: Int
    /// In cells.
    public let columns: Int
    /// In cells.
    public let rows: Int
    /// The pixels that the terminal gets.
    public let bitmap: Bitmap

    /// A picture for so many cells.
    public init(number: UInt8, serial: Int, columns: Int, rows: Int, bitmap: Bitmap) {
        (self.number, self.serial, self.columns, self.rows) = (number, serial, columns, rows)
        self.bitmap = bitmap
    }

    public static func == (left: PixelPicture, right: PixelPicture) -> Bool { left.serial == right.serial }

    /// The cell that stands for a part of the picture; its foreground is the number.
    static func character(column: Int, row: Int) -> Character? {
        guard marks.indices.contains(column), marks.indices.contains(row), let down = UnicodeScalar(marks[row]),
            let across = UnicodeScalar(marks[column])
        else { return nil }
        var text = String.UnicodeScalarView()
        text.append("\u{10EEEE}")
        text.append(down)
        text.append(across)
        return Character(String(text))
    }

    /// Pictures have as many columns and rows at most.
    static var limit: Int { marks.count }

    /// The combining marks that stand for 0, 1, 2 and so on; fixed by the protocol.
    private static let marks: [UInt32] = [
        0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C, 0x0350, 0x0351,
        0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369, 0x036A, 0x036B, 0x036C, 0x036D,
        0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592, 0x0593, 0x0594, 0x0595, 0x0597, 0x0598, 0x0599,
        0x059C, 0x059D, 0x059E, 0x059F, 0x05A0, 0x05A1, 0x05A8, 0x05A9, 0x05AB, 0x05AC, 0x05AF, 0x05C4, 0x0610, 0x0611,
        0x0612, 0x0613, 0x0614, 0x0615, 0x0616, 0x0617, 0x0657, 0x0658, 0x0659, 0x065A, 0x065B, 0x065D, 0x065E, 0x06D6,
        0x06D7, 0x06D8, 0x06D9, 0x06DA, 0x06DB, 0x06DC, 0x06DF, 0x06E0, 0x06E1, 0x06E2, 0x06E4, 0x06E7, 0x06E8, 0x06EB,
        0x06EC, 0x0730, 0x0732, 0x0733, 0x0735, 0x0736, 0x073A, 0x073D, 0x073F, 0x0740, 0x0741, 0x0743, 0x0745, 0x0747,
        0x0749, 0x074A,
    ]
}
