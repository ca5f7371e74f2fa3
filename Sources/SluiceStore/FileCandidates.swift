import SluiceCore

/// The names that a file may get, in order.
///
/// First `name.ext`, then `name.1.ext`, `name.2.ext` and so on.
///
/// Pure; whether a name is free is for others to find out.
struct FileCandidates {
    /// More tries than that mean that something is wrong with the directory.
    static let limit = 1_000_000

    /// What is said when no candidate is free.
    static func exhausted(_ path: String) -> DownloadError {
        DownloadError(.ioError, "too many files like \(path): tidy up or choose a folder")
    }

    private let stem: Substring
    /// With its dot; empty if there is none.
    private let fileExtension: Substring
    private let name: String

    init(_ name: String) {
        self.name = name
        let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        // A dot at the start begins no extension.
        let end = dot == name.startIndex ? name.endIndex : dot
        (stem, fileExtension) = (name[..<end], name[end...])
    }

    subscript(index: Int) -> String { index == 0 ? name : "\(stem).\(index)\(fileExtension)" }

    /// Which candidate a name is; `nil` if it is none.
    func index(of other: String) -> Int? {
        if other == name { return 0 }
        let start = "\(stem)."
        guard other.hasPrefix(start), other.hasSuffix(fileExtension),
            other.utf8.count > start.utf8.count + fileExtension.utf8.count
        else { return nil }
        let number = other.dropFirst(start.count).dropLast(fileExtension.count)
        guard let index = Int(number), index > 0, index < Self.limit, self[index] == other else { return nil }
        return index
    }
}
