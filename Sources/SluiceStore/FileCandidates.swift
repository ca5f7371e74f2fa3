import SluiceCore

/// The names that a file may get, in order.
///
/// First `name.ext`, then `name.1.ext`, `name.2.ext` and so on. Where that would be longer than names
/// of files may be, the stem gives way to the number.
///
/// Pure; whether a name is free is for others to find out.
struct FileCandidates {
    /// More tries than that mean that something is wrong with the directory.
    static let limit = 1_000_000

    /// What is said when no candidate is free.
    static func exhausted(_ path: String) -> DownloadError {
        DownloadError(.ioError, "too many files like \(path): tidy up or choose a folder")
    }

    private let name: String

    init(_ name: String) { self.name = name }

    subscript(index: Int) -> String {
        if index == 0 { return name }
        let number = ".\(index)"
        let fitting = FileName.leavingRoom(in: name, for: number.utf8.count)
        let end = Self.stemEnd(of: fitting)
        return fitting[..<end] + number + fitting[end...]
    }

    /// Which candidate a name is; `nil` if it is none.
    func index(of other: String) -> Int? {
        if other.hasSameBytes(as: name) { return 0 }
        // The number stands at the end, or before the extension.
        let head = other[..<Self.stemEnd(of: other)]
        for part in [other[...], head] {
            guard let dot = part.utf8.lastIndex(of: UInt8(ascii: ".")),
                let index = Int(part[part.utf8.index(after: dot)...]), index > 0, index < Self.limit,
                self[index].hasSameBytes(as: other)
            else { continue }
            return index
        }
        return nil
    }

    /// Where the extension begins, with its dot; a dot at the start begins none.
    private static func stemEnd(of name: String) -> String.Index {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        return dot == name.startIndex ? name.endIndex : dot
    }
}
