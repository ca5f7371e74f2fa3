internal import Glibc
internal import SluiceSystem

/// The lines typed at the prompt, kept between sessions in the user's state directory.
///
/// A convenience: what can't be read or written is left out, without a word.
enum HistoryFile {
    private static var folder: String? { Environment.current.stateFolder }

    static func read() -> [String] {
        // What a list takes for a comment is part of a line here.
        guard let folder, let bytes = try? WholeFile.read(folder + "/prompt-history") else { return [] }
        return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter lines: Oldest first, without credentials.
    static func write(_ lines: [String]) {
        guard let folder else { return }
        FolderPath.make(folder, for: .owner)
        let path = folder + "/prompt-history"
        // Renamed into place, so that two sessions that end together leave one whole file.
        let draft = path + ".\(getpid())"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWhole = EventWriter.writeAll(Array(lines.map { $0 + "\n" }.joined().utf8), to: descriptor)
        close(descriptor)
        if isWhole { unsafe rename(draft, path) } else { unsafe unlink(draft) }
    }
}
