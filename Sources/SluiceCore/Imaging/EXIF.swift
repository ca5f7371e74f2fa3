/// Finds which way up a picture is, in the notes of a camera.
///
/// Reads one number of the TIFF structure that EXIF is, and nothing else of it. Whatever is
/// wrong with the notes, the answer is that the picture stands as it is stored.
///
/// - SeeAlso: CIPA DC-008 (EXIF 2.32) §4.6.4, tag 274.
package enum EXIF {
    private static let orientationTag = 0x0112
    private static let shortType = 3

    /// - Parameter notes: From the byte order mark on, or with `Exif` and two zeros before it.
    /// - Returns: `1...8`; 1 if nothing valid is said.
    package static func orientation(_ notes: Span<UInt8>) -> Int {
        let start = notes.matches("Exif\0\0") ? 6 : 0
        let isLittle = notes.matches("II*\0", at: start)
        guard isLittle || notes.matches("MM\0*", at: start) else { return 1 }
        func short(_ offset: Int) -> Int? { isLittle ? notes.little16(at: offset) : notes.big16(at: offset) }
        func long(_ offset: Int) -> Int? { isLittle ? notes.little32(at: offset) : notes.big32(at: offset) }
        guard let first = long(start + 4), let entries = short(start + first) else { return 1 }
        // Bounded by two bytes, and by the end of the notes.
        for index in 0..<entries {
            let entry = start + first + 2 + index * 12
            guard let tag = short(entry) else { return 1 }
            guard tag == orientationTag else { continue }
            guard short(entry + 2) == shortType, let value = short(entry + 8), (1...8).contains(value) else { return 1 }
            return value
        }
        return 1
    }
}
