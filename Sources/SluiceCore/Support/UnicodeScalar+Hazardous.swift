extension Unicode.Scalar {
    /// Whether a terminal or a reader can be fooled with it.
    ///
    /// Controls of C0 and C1, DEL, line and paragraph separators, marks that change the direction
    /// of text, fillers and other characters without width, tags, and interlinear annotations. Nothing
    /// from a server that holds one may reach a terminal or become a file name as it is.
    public var isHazardous: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A:
            true
        // Tags; what selects the form of a Chinese character is none.
        case 0xE0100...0xE01EF: false
        case 0xE0000...0xE0FFF: true
        default: false
        }
    }
}
