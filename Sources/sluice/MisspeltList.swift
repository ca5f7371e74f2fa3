internal import ArgumentParser
internal import Glibc
internal import SluiceCore

/// Words of a command line that are no URLs, and were meant as lists.
enum MisspeltList {
    /// Refuses them before anything is downloaded.
    ///
    /// - Parameters:
    ///   - words: What would be taken for URLs.
    ///   - sign: What stands before the name of a list, such as `@`.
    /// - Throws: A sentence that says how a list is given.
    static func check(_ words: [String], sign: String) throws {
        for word in words {
            if word == "@" { throw ValidationError("@ names no list: write @FILE, or - for standard input.") }
            guard let path = file(word) else { continue }
            throw ValidationError(
                "'\(word)' is a file here, and no URL: \(sign)\(quoted(path)) reads it as a list;"
                    + " a URL begins with https:// or http://."
            )
        }
    }

    /// The path of a file that can be read, if the word is one and no URL.
    private static func file(_ word: String) -> String? {
        guard !isURL(word) else { return nil }
        // With two slashes, and not three, the first folder is no host that a file could be on.
        let path = word.hasPrefix("file://") ? String(word.dropFirst(7)) : word
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let isReadable = unsafe access(path, R_OK) == 0
        return isReadable ? path : nil
    }

    private static func isURL(_ word: String) -> Bool {
        do throws(DownloadError) {
            _ = try RequestURL(word)
            return true
        } catch {
            return false
        }
    }

    /// As the shell takes it for one word.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "/._-+,:%=@".contains($0) }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }
}
