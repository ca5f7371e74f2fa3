extension Unicode.Scalar {
    /// Whether a terminal or a reader can be fooled with it.
    ///
    /// Controls of C0 and C1, DEL, line and paragraph separators, marks that change the direction
    /// of text, characters without width, tags, and interlinear annotations. Nothing from a server
    /// that holds one may reach a terminal or become a file name as it is.
    public var isHazardous: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0xAD, 0x061C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }
}
